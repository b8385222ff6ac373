import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  ordersPages,
  searchCount,
  searchPage,
  statusesPage,
} from '../../../src/store/orders/order-pages.statements.js';
import { countQueues } from '../../../src/store/orders/order-queues.statements.js';
import { orderQueues } from '../../../src/store/orders/order-queues.js';
import { searchedOrders } from '../../../src/store/orders/order-search.statements.js';
import { readsOf, rowsIn, scansOf, type TableRead, walksIn } from '../../support/explain.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

const count = 40_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.rows(
    `WITH product AS (
       INSERT INTO products (name, price, stock) SELECT 'Product ' || n, 1, 9 FROM generate_series(1, 50) AS n RETURNING id),
     buyer AS (
       INSERT INTO users (id, username, email, password_hash, first_name)
       SELECT gen_random_uuid(), 'buyer' || n, 'u' || n || '@example.com', 'x', 'Maria' FROM generate_series(1, 2000) AS n
       RETURNING id),
     numbered AS (SELECT id, row_number() OVER () AS n FROM buyer),
     placed AS (
       INSERT INTO orders (user_id, total_price, status, reached, created_at, shipping_last_name, shipping_address, refunded_total, paid_total)
       SELECT id, n % 500, CASE WHEN k = 1 AND n % 100 = 0 THEN 'paid' WHEN k = 4 THEN 'pending' ELSE 'completed' END, 'completed',
              '2020-01-01'::timestamptz + (k * 2000 + n) * interval '1 minute', 'rare' || n, n || ' Main Street',
              CASE WHEN k = 2 AND n % 100 = 0 THEN 1 ELSE 0 END, 500
         FROM numbered, generate_series(1, ${count / 2_000}) AS k
       RETURNING id)
     INSERT INTO order_items (order_id, product_id, quantity, price, product_name)
     SELECT placed.id, (SELECT min(id) FROM product) + placed.id % 50, 1, 1, 'Linen product ' || placed.id % 50 FROM placed`,
  );
  await database.rows('SELECT index_orders(ARRAY(SELECT id FROM orders)); TRUNCATE unindexed_orders; ANALYZE');
}, 300_000);
afterAll(() => database.drop());

type Given = Parameters<typeof searchPage>[2];
const ofOrders = (reads: TableRead[]) => reads.filter((read) => read['Relation Name'].startsWith('order'));
const byIndex = (reads: TableRead[], table: string) => rowsIn(reads.filter((read) => read['Relation Name'] === table));
const asked = (text: string, given: Given = {}) => searchPage([0, 10], searchedOrders(text), given, '-created_at');

describe(`A search among ${count} orders`, () => {
  it.each(['rare1234', 'absentword', 'rare1234 linen', 'main rare77 maria'])(
    'finds the rare "%s" in the index of words',
    async (text) => {
      const { sql, values } = asked(text);
      expect((await scansOf(database, sql, values)).join()).toContain('order_search_words_idx');
      const reads = ofOrders(await readsOf(database, sql, values));
      expect(walksIn(reads)).toEqual([]);
      expect(rowsIn(reads)).toBeLessThan(1_000);
    },
  );

  it.each(['linen', 'maria', 'ma', 'linen maria', 'main street'])(
    'walks the newest orders for the common "%s", and stops soon',
    async (text) => {
      const { sql, values } = asked(text);
      expect((await scansOf(database, sql, values)).join()).toContain('orders_newest_idx');
      const reads = ofOrders(await readsOf(database, sql, values));
      expect(walksIn(reads)).toEqual([]);
      const [looking, walking] = [byIndex(reads, 'order_search'), byIndex(reads, 'orders')];
      expect(looking).toBeLessThan(10_500);
      expect(walking).toBeLessThan(200);
    },
  );

  it('counts no further than ten thousand', async () => {
    const { sql, values } = searchCount(searchedOrders('linen'), {});
    expect((await database.rows<{ count: number }>(sql, values))[0]).toEqual({ count: 10_000 });
    expect(rowsIn(ofOrders(await readsOf(database, sql, values)))).toBeLessThan(40_000);
  });
});

describe('The queues', () => {
  const indexes = {
    to_ship: 'orders_to_ship_idx',
    unpaid: 'orders_by_status_idx',
    problems: 'orders_problems_idx',
    returns: 'orders_returns_idx',
  };

  it.each(orderQueues)('lists %s by an index that has its order', async (queue) => {
    const { statement, values } = ordersPages['-created_at'].of([0, 10], { [queue]: true });
    expect((await scansOf(database, statement.text, values)).join()).toContain(indexes[queue]);
    const reads = await readsOf(database, statement.text, values);
    expect(walksIn(reads)).toEqual([]);
    expect(rowsIn(reads)).toBeLessThan(200);
  });

  it('are counted by indexes', async () => {
    const reads = await readsOf(database, countQueues.text, [10_000]);
    expect(walksIn(reads)).toEqual([]);
    expect(rowsIn(reads)).toBeLessThan(2_200);
  });
});

describe('Several statuses', () => {
  it.each([[['paid', 'pending']], [['completed', 'delivered']]])(
    '%j read no more than they have to',
    async (statuses) => {
      const { sql, values } = statusesPage([0, 10], { statuses }, '-created_at');
      const reads = await readsOf(database, sql, values);
      expect(walksIn(reads)).toEqual([]);
      expect(rowsIn(reads)).toBeLessThan(200);
    },
  );
});
