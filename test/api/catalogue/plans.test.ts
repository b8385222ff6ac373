import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { planSettings } from '../../../src/database/connections/connection-extras.js';
import { byColor, page, search, searchNames, valuesOf } from '../../../src/store/catalogue/catalogue.statements.js';
import { wordsOf } from '../../../src/store/catalogue/search-words.js';
import { plannedAnew } from '../../support/explain.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

const count = 10_000;

interface PlanNode {
  'Node Type': string;
  'Index Name'?: string;
  'Actual Loops'?: number;
  Plans?: PlanNode[];
}
type PlanRow = Record<'QUERY PLAN', [{ Plan: PlanNode }]>;

let database: TestDatabase;
let client: Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query(planSettings);
  // The index of trigrams takes what was inserted in a few large parts.
  await client.query(`SET gin_pending_list_limit = '256MB'; SET maintenance_work_mem = '256MB'`);
  await add(count);
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

/** Adds products up to this number. */
async function add(products: number): Promise<void> {
  await client.query(
    `INSERT INTO products (name, description, price, stock, color)
     SELECT 'Product number ' || n, 'A thing of the kind ' || md5(n::text) || ', made of linen', 1, n % 50, 'color ' || n % 100
       FROM generate_series((SELECT count(*) + 1 FROM products), $1::int) AS n`,
    [products],
  );
  await client.query('VACUUM ANALYZE products, product_search, product_words');
}

function scansOf(plan: PlanNode): string[] {
  if (plan['Actual Loops'] === 0) return [];
  const index = plan['Index Name'] ? ` of ${plan['Index Name']}` : '';
  return [`${plan['Node Type']}${index}`, ...(plan.Plans ?? []).flatMap(scansOf)].filter((node) => /Scan/.test(node));
}

/** The scans of the plan that PostgreSQL makes for these values, as for an unnamed statement. */
async function customPlan(sql: string, values: unknown[]): Promise<string[]> {
  const { rows } = await client.query<PlanRow>(`EXPLAIN (FORMAT JSON) ${sql}`, values);
  return scansOf((rows[0] as PlanRow)['QUERY PLAN'][0].Plan);
}

/** The scans of the generic plan that PostgreSQL may keep for a prepared statement. */
async function genericPlan(sql: string, values: number[]): Promise<string[]> {
  await client.query(`PREPARE kept AS ${sql}`);
  await client.query('SET plan_cache_mode = force_generic_plan');
  const { rows } = await client.query<PlanRow>(`EXPLAIN (FORMAT JSON) EXECUTE kept(${values.join(', ')})`);
  await client.query('RESET plan_cache_mode');
  await client.query('DEALLOCATE kept');
  return scansOf((rows[0] as PlanRow)['QUERY PLAN'][0].Plan);
}

/** The scans that a search runs: some branches of its plan never do. */
async function searchPlan(text: string): Promise<string[]> {
  const words = wordsOf(text);
  const explained = `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${search(words, { withDrafts: false })}`;
  const { rows } = await client.query<PlanRow>(explained, [text, 0, 10, ...valuesOf(words)]);
  return scansOf((rows[0] as PlanRow)['QUERY PLAN'][0].Plan);
}

/** The scans beside those of each product's pictures and categories, which its key finds. */
function beside(scans: string[]): string[] {
  return scans.filter((scan) => !/categories|product_images|^(?:Bitmap Heap|Subquery) Scan$/.test(scan));
}

describe('A page of the catalogue', () => {
  const ids = ['Index Scan of products_pkey', 'Index Only Scan of product_listings_pkey'];

  it.each([0, 9_000])('at skip %d reads an index only, then its own rows', async (skip) => {
    expect(beside(await customPlan(page.text, [skip, 10]))).toEqual(ids);
    expect(beside(await genericPlan(page.text, [skip, 10]))).toEqual(ids);
  });

  it.each([0, 9_000])('at skip %d reuses its plan', async (skip) => {
    expect(await plannedAnew(database, page.text, [skip, 10], 20)).toBeLessThanOrEqual(5);
  });
});

describe.each([count, 100_000])('The search among %d products', (products) => {
  beforeAll(async () => {
    await add(products);
  }, 300_000);

  const trigrams = 'Bitmap Index Scan of product_search_text_idx';
  const walk = 'Index Scan of product_search_pkey';

  const manyWords = 'of the kind made product number thing a linen, f00d 10 11 12';

  it.each(['a1b2', 'f00d', 'number 9999', 'linen f00d', 'product b0b linen', 'absent', 'linen absent', manyWords])(
    'finds the rare "%s" in the index of trigrams',
    async (text) => {
      let scans = await searchPlan(text);
      // The statistics are a sample: a rare word that happens to be in it looks frequent until the next one.
      for (let sample = 1; sample < 4 && !scans.includes(trigrams); sample++) {
        await client.query('ANALYZE product_search');
        scans = await searchPlan(text);
      }
      expect(scans).toContain(trigrams);
      expect(scans).not.toContain('Seq Scan');
    },
  );

  it.each(['product', 'linen', 'product number', 'linen thing kind', 'of linen', 'pro'])(
    'walks the ids for the common "%s", and stops when the page is full',
    async (text) => {
      const scans = await searchPlan(text);
      expect(scans).toContain(walk);
      expect(scans).not.toContain('Seq Scan');
    },
  );

  it.each(['product', 'of linen number'])('walks the ids for names with "%s" by a cached plan', async (text) => {
    const words = text.split(' ');
    const { text: sql = '' } = searchNames[words.length] ?? {};
    const names = ['Index Scan of product_search_name_idx', walk];
    const values = [text, 0, 10, ...words];
    const scans = (await customPlan(sql, values)).filter((scan) => /product_search/.test(scan));
    expect(scans).toEqual(names);
    expect(await plannedAnew(database, sql, values, 20)).toBeLessThanOrEqual(5);
  });

  it('finds the exact name in the index of names', async () => {
    expect((await searchPlan('product number 77')).join()).toContain('of product_search_name_idx');
  });

  it('finds similar words in the index of words', async () => {
    const sql = `SELECT word FROM product_words WHERE word % 'linnen' ORDER BY similarity(word, 'linnen') DESC, word LIMIT 3`;
    expect(await customPlan(sql, [])).toContain('Bitmap Index Scan of product_words_alike_idx');
  });
});

describe('The filter by color', () => {
  it.each(['price', 'stock', 'created_at', 'id', 'description', 'size', 'image_url'] as const)(
    'sorted by %s finds the color in the index',
    async (field) => {
      const scans = await customPlan(byColor(field, 'ASC'), ['Color 7', 0, 1000]);
      expect(scans).toContain('Bitmap Index Scan of products_color_name_idx');
    },
  );

  it.each(['ASC', 'DESC'] as const)('sorted by name %s reads a page of the color in that order', async (direction) => {
    const scans = await customPlan(byColor('name', direction), ['Color 7', 0, 10]);
    const ofTables = beside(scans);
    expect(ofTables).toEqual(['Index Scan of products_color_name_idx']);
  });
});
