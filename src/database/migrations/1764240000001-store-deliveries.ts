import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Each event goes to each webhook once, and lists of a webhook are read by status in the order of time. */
const indexes = [
  `CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS webhook_deliveries_event_key
     ON webhook_deliveries (event_id, webhook_id) WHERE event_id IS NOT NULL`,
  `CREATE INDEX CONCURRENTLY IF NOT EXISTS webhook_deliveries_webhook_status_idx
     ON webhook_deliveries (webhook_id, status, created_at DESC, id DESC) WHERE webhook_id IS NOT NULL`,
];

/** The indexes of the shop's deliveries, built while others write. */
export class StoreDeliveries1764240000001 implements MigrationInterface {
  name = 'StoreDeliveries1764240000001';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const sql of indexes) await runner.query(sql);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only add: restore a backup of before instead'));
  }
}
