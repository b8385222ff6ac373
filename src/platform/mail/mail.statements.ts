import { addJobSql, addQuietJobsSql } from '../jobs/jobs.statements.js';
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
 * SQL, an INSERT, that queues a mail of a kind about the subject of each row: for statements that many requests run at once.
 * Only where `Mailer.isOn`.
 */
export function addMailsSql(kind: string, about: string, rows: string): string {
  return addQuietJobsSql(mailTask, { queue: 'mail', payload: payloadOf(`'${kind}'`, about, 'now()'), rows });
}
