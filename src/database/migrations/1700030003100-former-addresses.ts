import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The confirmed address that an account had before one that is not confirmed yet, and links that set it back. Nodes of the
 * last release make no such links.
 */
export class FormerAddresses1700030003100 implements MigrationInterface {
  name = 'FormerAddresses1700030003100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE users ADD COLUMN former_email varchar(254)`);
    await runner.query(`
      ALTER TABLE mail_tokens DROP CONSTRAINT mail_tokens_purpose_check,
        ADD CONSTRAINT mail_tokens_purpose_check CHECK (purpose IN ('confirm', 'reset', 'undo'))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM mail_tokens WHERE purpose = 'undo';
      ALTER TABLE mail_tokens DROP CONSTRAINT mail_tokens_purpose_check,
        ADD CONSTRAINT mail_tokens_purpose_check CHECK (purpose IN ('confirm', 'reset'));
      ALTER TABLE users DROP COLUMN former_email`);
  }
}
