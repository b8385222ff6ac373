import { addJobSql } from '../jobs/jobs.statements.js';
import { mailTask } from './mail-task.js';

function payloadOf(kind: string, about: string, at: string): string {
  return `json_build_object('id', gen_random_uuid(), 'at', ${at}, 'kind', ${kind}, 'about', (${about})::text)`;
}

/**
 * SQL that queues a mail of a kind about the subject of an expression, worded at the time of sending: for statements that
 * write and queue in one round trip. Only where `Mailer.isOn`.
 */
export function addMailSql(kind: string, about: string): string {
  return `(${addJobSql(mailTask, { payload: payloadOf(`'${kind}'`, about, 'now()') })}).id`;
}

/**
 * SQL, an INSERT, that leaves mails of a kind about each row's subject in the outbox: for statements that many requests run
 * at once. Adding a job notifies the workers, and PostgreSQL lets only one notifying transaction commit at a time. Only where
 * `Mailer.isOn`; call `MailOutbox.empty` once it is committed.
 */
export function leaveMailSql(kind: string, about: string, rows: string): string {
  return `INSERT INTO mail_outbox (kind, about) SELECT '${kind}', (${about})::text FROM ${rows}`;
}

/** Moves the $1 oldest mails of the outbox into the job queue; skips those that another node is moving. */
export const moveMails = `
  WITH oldest AS MATERIALIZED (
    SELECT id FROM mail_outbox ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED),
  mails AS (
    DELETE FROM mail_outbox WHERE id = ANY (ARRAY(SELECT id FROM oldest)) RETURNING id, kind, about, created_at)
  SELECT (${addJobSql(mailTask, { payload: payloadOf('kind', 'about', 'created_at') })}).id FROM mails ORDER BY mails.id`;
