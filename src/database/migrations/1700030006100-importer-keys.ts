import type { MigrationInterface, QueryRunner } from 'typeorm';

/** API keys of pipelines: they import reports and read, and change nothing else. */
export class ImporterKeys1700030006100 implements MigrationInterface {
  name = 'ImporterKeys1700030006100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE api_keys DROP CONSTRAINT api_keys_role_check,
        ADD CONSTRAINT api_keys_role_check CHECK (role IN ('admin', 'member', 'importer', 'viewer'))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE api_keys SET role = 'viewer' WHERE role = 'importer';
      ALTER TABLE api_keys DROP CONSTRAINT api_keys_role_check,
        ADD CONSTRAINT api_keys_role_check CHECK (role IN ('admin', 'member', 'viewer'))`);
  }
}
