import { addJobSql } from '../jobs/jobs.statements.js';
import { mailTask } from './mail-task.js';

/**
 * SQL that queues a mail of a kind about what an expression names, to be worded when it is sent: for statements that write
 * and queue in one round trip. Only where `Mailer.isOn`.
 */
export function addMailSql(kind: string, about: string): string {
  const fields = `'id', gen_random_uuid(), 'at', now(), 'kind', '${kind}', 'about', (${about})::text`;
  return `(${addJobSql(mailTask, { payload: `json_build_object(${fields})` })}).id`;
}
