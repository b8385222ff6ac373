import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Statement } from '../../../src/database/database.js';
import {
  linesWorth,
  openSession,
  paymentsLeft,
  sessionsOfOrder,
  takeRefunds,
  takeSessions,
} from '../../../src/store/payments/payments.statements.js';
import { readsOf, rowsIn, walksIn } from '../../support/explain.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

const count = 40_000;

let database: TestDatabase;
let order: number;
let item: number;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.rows(
    `WITH buyer AS (
       INSERT INTO users (id, username, email, password_hash)
       VALUES (gen_random_uuid(), 'buyer', 'buyer@example.com', 'x') RETURNING id),
     product AS (INSERT INTO products (name, price, stock) VALUES ('Vase', 10, 9) RETURNING id),
     placed AS (
       INSERT INTO orders (user_id, total_price, paid_total, refunded_total, status)
       SELECT buyer.id, 20, 20, 10, 'paid' FROM buyer, generate_series(1, ${count}) RETURNING id),
     line AS (
       INSERT INTO order_items (order_id, product_id, quantity, price, product_name)
       SELECT placed.id, product.id, 2, 10, 'Vase' FROM placed, product RETURNING id, order_id),
     session AS (
       INSERT INTO payment_sessions (id, order_id, provider, reference, amount, currency, status, ask_at, expires_at)
       SELECT gen_random_uuid(), id, 'demo', 'session ' || id, 20, 'USD', CASE WHEN id % 10 = 0 THEN 'open' ELSE 'paid' END,
              now() - id * interval '1 second', now() + interval '1 day'
         FROM placed),
     payment AS (
       INSERT INTO payments (id, order_id, provider, reference, amount, currency)
       SELECT gen_random_uuid(), id, 'demo', 'payment ' || id, 20, 'USD' FROM placed RETURNING id, order_id),
     refund AS (
       INSERT INTO refunds (id, order_id, payment_id, amount, restock, status, ask_at)
       SELECT gen_random_uuid(), order_id, id, 10, true, CASE WHEN order_id % 10 = 0 THEN 'pending' ELSE 'done' END,
              now() - order_id * interval '1 second'
         FROM payment RETURNING id, order_id)
     INSERT INTO refund_lines (refund_id, item_id, quantity)
     SELECT refund.id, line.id, 1 FROM refund JOIN line USING (order_id)`,
  );
  await database.rows('ANALYZE');
  [{ order = 0, item = 0 } = {}] = await database.rows<{ order: number; item: number }>(
    `SELECT order_id AS order, id AS item FROM order_items WHERE order_id % 10 = 0 ORDER BY id DESC LIMIT 1`,
  );
}, 300_000);
afterAll(() => database.drop());

describe(`With the money of ${count} orders`, () => {
  const statements: [Statement, () => unknown[], number][] = [
    [paymentsLeft, () => [order], 10],
    [openSession, () => [order, 'demo', 20, 'USD'], 10],
    [sessionsOfOrder, () => [order], 10],
    [linesWorth, () => [order, [item], [1]], 20],
    [takeSessions, () => [], 200],
    [takeRefunds, () => [], 200],
  ];

  it.each(statements.map(([statement, values, most]) => [statement.name, statement, values, most] as const))(
    '%s reads what it needs, by indexes',
    async (_, { text }, values, most) => {
      const reads = await readsOf(database, text, values());
      expect(rowsIn(reads)).toBeGreaterThan(0);
      expect(walksIn(reads)).toEqual([]);
      expect(rowsIn(reads)).toBeLessThanOrEqual(most);
    },
  );
});
