import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A mail that a node of the last release leaves in the outbox goes into the queue, which knows no outbox any more. */
const queueLeftMail = `
CREATE FUNCTION queue_left_mail() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM graphile_worker.add_job('mail', json_build_object(
    'id', gen_random_uuid(), 'at', NEW.created_at, 'kind', NEW.kind, 'about', NEW.about));
  RETURN NULL;
END
$$;
CREATE TRIGGER mail_outbox_added BEFORE INSERT ON mail_outbox FOR EACH ROW EXECUTE FUNCTION queue_left_mail();
`;

/** What lies in the outbox now. A new database has no queue yet, and no mails. */
const moveMails = `
DO $$
BEGIN
  IF EXISTS (SELECT FROM mail_outbox) THEN
    WITH mails AS (DELETE FROM mail_outbox RETURNING *)
    INSERT INTO mail_outbox (kind, about, created_at) SELECT kind, about, created_at FROM mails ORDER BY id;
  END IF;
END
$$;
`;

export class MailsIntoTheQueue1700030001000 implements MigrationInterface {
  name = 'MailsIntoTheQueue1700030001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(queueLeftMail);
    await runner.query(moveMails);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER mail_outbox_added ON mail_outbox');
    await runner.query('DROP FUNCTION queue_left_mail()');
  }
}
