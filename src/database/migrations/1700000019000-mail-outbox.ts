import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Mails that statements of hot paths leave behind, on their way into the job queue. */
const outbox = `
CREATE TABLE mail_outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL,
  about text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
`;

export class MailOutbox1700000019000 implements MigrationInterface {
  name = 'MailOutbox1700000019000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(outbox);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE mail_outbox');
  }
}
