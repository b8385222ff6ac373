import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { planSettings } from '../../../src/database/connections/connection-extras.js';
import type { Statement } from '../../../src/database/database.js';
import { addToCart, readCart } from '../../../src/store/cart/cart.statements.js';
import { lockGoods, placeOrder } from '../../../src/store/orders/place-order.statements.js';
import { quoteOrder } from '../../../src/store/orders/quote.statements.js';
import { insertUser } from '../../support/accounts.js';
import { fillCart, insertCoupon, insertProducts } from '../../support/goods.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Cond'?: string;
  Plans?: PlanNode[];
}

let app: TestApp;
let client: pg.Client;
beforeAll(async () => {
  app = await startTestApp();
  client = new pg.Client({ connectionString: app.database.url });
  await client.connect();
  await client.query(planSettings);
});
afterAll(async () => {
  await client.end();
  await app.close();
});

type Value = string | number | boolean | null | string[];
const shipping: Value[] = [
  'Ada',
  'Lovelace',
  '1 Loop Road',
  'Leeds',
  'LS1',
  'UK',
  null,
  'standard',
  5.99,
  null,
  null,
  5,
];

/** The ten oldest keys are read in order, and a shop has a handful of webhooks. */
const readInWhole = new Set(['idempotency_keys', 'store_webhooks']);

/** Table scans that do not go through an index. */
function wideScans(plan: PlanNode): string[] {
  const table = plan['Relation Name'];
  const isTable = table !== undefined && !readInWhole.has(table);
  const isWide = isTable && plan['Node Type'].endsWith('Scan') && plan['Index Cond'] === undefined;
  return [...(isWide ? [`${plan['Node Type']} of ${table}`] : []), ...(plan.Plans ?? []).flatMap(wideScans)];
}

function literal(value: Value): string {
  if (value === null) return 'NULL';
  return client.escapeLiteral(Array.isArray(value) ? `{${value.join(',')}}` : String(value));
}

/** The tables that a prepared statement scans, once it has run twice. */
async function tooWide({ name, text }: Statement, values: Value[]): Promise<string[]> {
  await client.query('BEGIN');
  for (let n = 0; n < 2; n++) await client.query({ name, text, values });
  const list = values.map(literal).join(', ');
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `EXPLAIN (FORMAT JSON) EXECUTE "${name}"(${list})`,
  );
  await client.query('ROLLBACK');
  return rows.flatMap((row) => wideScans(row['QUERY PLAN'][0].Plan).map((scan) => `${name}: ${scan}`));
}

// A new shop is analyzed while its carts are empty, and a prepared statement keeps the generic plan of that hour; a
// custom plan sees how large the tables are.
it('Carts and orders use indexes in plans that were made while the shop was empty', async () => {
  await client.query('VACUUM ANALYZE');
  await client.query('SET plan_cache_mode = force_generic_plan');
  const user = await insertUser(app);
  const [product = 0, ...others] = await insertProducts(app, 3);
  await fillCart(app, user, [product, ...others]);
  await insertCoupon(app, 'PLANNED');
  const order = [user.id, ...shipping, 'PLANNED', 'key', 'hash', true, 1_000, 500, 3];
  const statements: [Statement, Value[]][] = [
    [readCart, [user.id]],
    [addToCart, [user.id, product, 1]],
    [lockGoods, [[user.id], [user.id]]],
    [placeOrder, order],
    [quoteOrder, [user.id, 'PLANNED', 5.99, null, null, 1_000, 500, ['5.99', '12.99'], ['50', '60']]],
  ];
  const wide: string[] = [];
  for (const [statement, values] of statements) wide.push(...(await tooWide(statement, values)));
  expect(wide).toEqual([]);
});
