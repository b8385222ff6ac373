import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which addresses are confirmed, and what the links in mails to accounts allow. */
export class AccountMail1700000011000 implements MigrationInterface {
  name = 'AccountMail1700000011000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE users ADD COLUMN email_verified boolean NOT NULL DEFAULT false;
      CREATE TABLE mail_tokens (
        token_hash text CONSTRAINT mail_tokens_pkey PRIMARY KEY,
        user_id uuid NOT NULL,
        purpose text NOT NULL CONSTRAINT mail_tokens_purpose_check CHECK (purpose IN ('confirm', 'reset')),
        email varchar(254) NOT NULL,
        expires_at timestamptz(3) NOT NULL
      );
      CREATE INDEX mail_tokens_user_idx ON mail_tokens (user_id);
      CREATE INDEX mail_tokens_expiry_idx ON mail_tokens (expires_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE mail_tokens;
      ALTER TABLE users DROP COLUMN email_verified`);
  }
}
