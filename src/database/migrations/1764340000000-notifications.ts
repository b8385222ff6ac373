import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An action notifies people instead of exporting, and a delivery has a body of its own. */
const columns = [
  `ALTER TABLE workflow_actions ADD COLUMN type text NOT NULL DEFAULT 'EXPORT'`,
  `ALTER TABLE workflow_actions ADD COLUMN kind text NOT NULL DEFAULT 'WEBHOOK'`,
  `ALTER TABLE webhook_deliveries ADD COLUMN body_sealed text`,
];

export class Notifications1764340000000 implements MigrationInterface {
  name = 'Notifications1764340000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const sql of columns) await runner.query(sql);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only add: restore a backup of before instead'));
  }
}
