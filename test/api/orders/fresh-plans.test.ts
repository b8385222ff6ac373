import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { planSettings } from '../../../src/database/connection-extras.js';
import { addToCart, clearCart, readCart, removeLine, setQuantity } from '../../../src/store/cart/cart.statements.js';
import { lockContents, place } from '../../../src/store/orders/checkout.statements.js';
import { placeAtOnce, placeKeyedAtOnce } from '../../../src/store/orders/place-at-once.statements.js';
import { insertUser } from '../../support/accounts.js';
import { fillCart, insertProducts } from '../../support/goods.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Cond'?: string;
  Plans?: PlanNode[];
}

let shop: TestApp;
let client: pg.Client;
beforeAll(async () => {
  shop = await startTestApp();
  client = new pg.Client({ connectionString: shop.database.url });
  await client.connect();
  await client.query(planSettings);
});
afterAll(async () => {
  await client.end();
  await shop.close();
});

const shipping = ['Ada', 'Lovelace', '1 Loop Road', 'Leeds', 'LS1', 'UK', null, 'standard', 5.99, 5];

/** Scans of the cart's tables that read more than what an index leads to. */
function wideScans(plan: PlanNode): string[] {
  const table = plan['Relation Name'] ?? '';
  const isWide = /Scan$/.test(plan['Node Type']) && /^cart/.test(table) && plan['Index Cond'] === undefined;
  return [...(isWide ? [`${plan['Node Type']} of ${table}`] : []), ...(plan.Plans ?? []).flatMap(wideScans)];
}

// A new shop is analyzed while its carts are empty, and a prepared statement keeps the plan of that hour.
it('Carts and orders go by an index in plans made while the shop was empty, generic and custom', async () => {
  await client.query('VACUUM ANALYZE');
  const user = await insertUser(shop);
  const products = await insertProducts(shop, 3);
  await fillCart(shop, user, products);
  const cart = (await shop.database.rows<{ id: number }>('SELECT id FROM carts WHERE user_id = $1', [user.id]))[0]?.id;
  const order = [user.id, ...shipping, true];
  const statements: [typeof place, unknown[]][] = [
    [readCart, [user.id]],
    [addToCart, [user.id, products[0], 1]],
    [setQuantity, [user.id, 1, 1]],
    [removeLine, [user.id, 1]],
    [clearCart, [user.id]],
    [lockContents, [user.id, cart, null, null]],
    [placeAtOnce, order],
    [placeKeyedAtOnce, [...order, 'key', 'hash']],
  ];
  const wide: unknown[] = [];
  for (const { mode, statement, values } of ['generic', 'custom'].flatMap((mode) =>
    statements.map(([statement, values]) => ({ mode, statement, values })),
  )) {
    await client.query(`SET plan_cache_mode = force_${mode}_plan`);
    const name = `${mode}.${statement.name}`;
    await client.query('BEGIN');
    for (let n = 0; n < 2; n++) await client.query({ name, text: statement.text, values });
    const list = values.map((value) => (value === null ? 'NULL' : client.escapeLiteral(String(value)))).join(', ');
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `EXPLAIN (FORMAT JSON) EXECUTE "${name}"${values.length > 0 ? `(${list})` : ''}`,
    );
    await client.query('ROLLBACK');
    wide.push(...rows.flatMap((row) => wideScans(row['QUERY PLAN'][0].Plan).map((scan) => `${name}: ${scan}`)));
  }
  expect(wide).toEqual([]);
});
