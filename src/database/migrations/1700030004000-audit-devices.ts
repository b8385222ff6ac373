import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The device of a request beside its address, in the audit log. Nodes of the last release leave it empty. */
export class AuditDevices1700030004000 implements MigrationInterface {
  name = 'AuditDevices1700030004000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE audit_entries ADD COLUMN device text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE audit_entries DROP COLUMN device');
  }
}
