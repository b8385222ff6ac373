import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { byColor, page, search } from '../../../src/store/catalogue/catalogue.statements.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

const count = 20_000;

interface PlanNode {
  'Node Type': string;
  'Index Name'?: string;
  Plans?: PlanNode[];
}
type PlanRow = Record<'QUERY PLAN', [{ Plan: PlanNode }]>;

let database: TestDatabase;
let client: Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query(`
    INSERT INTO products (name, description, price, stock, color)
    SELECT 'Product number ' || n, 'A thing of the kind ' || md5(n::text) || ', made of linen', 1, n % 50, 'color ' || n % 100
      FROM generate_series(1, ${count}) AS n`);
  await client.query('VACUUM ANALYZE products');
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

function scansOf(plan: PlanNode): string[] {
  const index = plan['Index Name'] ? ` of ${plan['Index Name']}` : '';
  return [`${plan['Node Type']}${index}`, ...(plan.Plans ?? []).flatMap(scansOf)].filter((node) => /Scan/.test(node));
}

/** The scans of the plan that PostgreSQL makes knowing these values, as it does for a statement without a name. */
async function customPlan(sql: string, values: unknown[]): Promise<string[]> {
  const { rows } = await client.query<PlanRow>(`EXPLAIN (FORMAT JSON) ${sql}`, values);
  return scansOf((rows[0] as PlanRow)['QUERY PLAN'][0].Plan);
}

/** The scans of the plan that PostgreSQL may keep for a prepared statement: made without knowing the values. */
async function genericPlan(sql: string, values: number[]): Promise<string[]> {
  await client.query(`PREPARE kept AS ${sql}`);
  await client.query('SET plan_cache_mode = force_generic_plan');
  const { rows } = await client.query<PlanRow>(`EXPLAIN (FORMAT JSON) EXECUTE kept(${values.join(', ')})`);
  await client.query('RESET plan_cache_mode');
  await client.query('DEALLOCATE kept');
  return scansOf((rows[0] as PlanRow)['QUERY PLAN'][0].Plan);
}

function searchPlan(text: string): Promise<string[]> {
  return customPlan(search, [text, `%${text}%`, 0, 10]);
}

describe('A page of the catalogue', () => {
  const ids = ['Index Scan of products_pkey', 'Index Only Scan of products_listed_idx'];

  it.each([0, 19_000])('at skip %d reads an index alone, then its own rows', async (skip) => {
    expect(await customPlan(page.text, [skip, 10])).toEqual(ids);
    expect(await genericPlan(page.text, [skip, 10])).toEqual(ids);
  });
});

describe('The search', () => {
  it('finds a rare text of three or more characters in the index of trigrams', async () => {
    for (const text of ['a1b', 'f00d', 'number 19999']) {
      const scans = await searchPlan(text);
      expect(scans.filter((scan) => scan === 'Bitmap Index Scan of products_text_idx').length).toBeGreaterThan(0);
      expect(scans).not.toContain('Seq Scan');
    }
  });

  it('walks the ids for a frequent text, and stops when the page is full', async () => {
    for (const text of ['product', 'linen']) {
      const scans = await searchPlan(text);
      expect(scans).toContain('Index Scan of products_listed_idx');
      expect(scans).not.toContain('Seq Scan');
    }
  });

  it('finds the exact name in the index of names', async () => {
    expect(await searchPlan('product number 77')).toContain('Index Scan of products_name_idx');
  });
});

describe('The filter by colour', () => {
  it('reads the index of colours', async () => {
    expect(await customPlan(byColor('name', 'ASC'), ['Color 7', 0, 1000])).toContain(
      'Bitmap Index Scan of products_color_idx',
    );
  });
});
