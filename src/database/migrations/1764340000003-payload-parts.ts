import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A payload that is too large for one POST goes out as numbered parts, each with its ranges of the frozen roots. */
const columns = [
  'ALTER TABLE workflow_actions ADD COLUMN in_parts boolean NOT NULL DEFAULT false',
  'ALTER TABLE webhook_deliveries ADD COLUMN part integer',
  'ALTER TABLE webhook_deliveries ADD COLUMN parts integer',
  'ALTER TABLE webhook_deliveries ADD COLUMN part_ranges jsonb',
];

export class PayloadParts1764340000003 implements MigrationInterface {
  name = 'PayloadParts1764340000003';

  async up(runner: QueryRunner): Promise<void> {
    for (const sql of columns) await runner.query(sql);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only add: restore a backup of before instead'));
  }
}
