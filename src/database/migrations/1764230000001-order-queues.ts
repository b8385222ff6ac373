import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The orders of each queue, in the order of the list; those that wait for their payment have the index by status. */
const queues: [index: string, orders: string][] = [
  ['orders_to_ship_idx', `status IN ('paid', 'processing')`],
  [
    'orders_problems_idx',
    `payment_problem IS NOT NULL OR status IN ('paid', 'processing') AND shipping_address IS NULL`,
  ],
  [
    'orders_returns_idx',
    `reached IN ('shipped', 'delivered', 'completed') AND (status = 'refunded' OR refunded_total > 0)`,
  ],
];

const ordersAtOnce = 1_000;

const indexNext = `
  WITH next AS MATERIALIZED (SELECT id FROM orders WHERE id > $1 ORDER BY id LIMIT $2),
       indexed AS MATERIALIZED (SELECT index_orders(ARRAY(SELECT id FROM next)))
  SELECT max(id) AS last FROM next WHERE EXISTS (SELECT FROM indexed)`;

/** The indexes of the queues of orders, and the words of the orders that were there before. */
export class OrderQueues1764230000001 implements MigrationInterface {
  name = 'OrderQueues1764230000001';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [index, orders] of queues) {
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${index}`);
      await runner.query(`CREATE INDEX CONCURRENTLY ${index} ON orders (created_at DESC, id DESC) WHERE ${orders}`);
    }
    for (let last: number | undefined = 0; last !== undefined;) {
      const rows = (await runner.query(indexNext, [last, ordersAtOnce])) as { last: number | null }[];
      last = rows[0]?.last ?? undefined;
    }
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only add: restore a backup of before instead'));
  }
}
