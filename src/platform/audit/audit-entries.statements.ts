import { FilteredStatement } from '../../database/filtered-statement.js';

/** SQL that appends the entries of a JSON array in the parameter: a statement, or part of one that writes their change. */
export function appendAuditSql(parameter: string): string {
  return `INSERT INTO audit_entries (id, created_at, log_id, action, actor_kind, actor_id, actor_name, subject_type,
            subject_id, subject_name, changes, address, device, request_id)
          SELECT id, created_at, log_id, action, actor_kind, actor_id, actor_name, subject_type,
                 subject_id, subject_name, changes, address, device, request_id
            FROM jsonb_to_recordset(${parameter}::jsonb) AS entry(
                   id uuid, created_at timestamptz, log_id uuid, action text, actor_kind text, actor_id uuid,
                   actor_name text, subject_type text, subject_id text, subject_name text, changes jsonb, address text,
                   device text, request_id text)`;
}

export type AuditFilterName = 'action' | 'actorId' | 'subjectType' | 'subjectId' | 'since' | 'until';

/**
 * A page of one log, newest first. Each filter has an index of its own in that order. People appear under their present names,
 * and without one once their account is gone.
 */
export const auditPage = new FilteredStatement<AuditFilterName>(
  'audit.page',
  {
    action: (parameter) => `action = ${parameter}`,
    actorId: (parameter) => `actor_id = ${parameter}`,
    subjectType: (parameter) => `subject_type = ${parameter}`,
    subjectId: (parameter) => `subject_id = ${parameter}`,
    since: (parameter) => `created_at >= ${parameter}`,
    until: (parameter) => `created_at < ${parameter}`,
  },
  (conditions) => `
    SELECT entry.id, entry.created_at AS "createdAt", entry.action, entry.actor_kind AS "actorKind",
           entry.actor_id AS "actorId", coalesce(entry.actor_name, actor.username) AS "actorName",
           entry.subject_type AS "subjectType", entry.subject_id AS "subjectId",
           coalesce(entry.subject_name, subject.username) AS "subjectName", entry.changes, entry.address,
           entry.device, entry.request_id AS "requestId"
      FROM (SELECT * FROM audit_entries
             WHERE log_id = $1 AND (created_at, id) < ($2, $3) AND created_at <= $2${conditions}
             ORDER BY created_at DESC, id DESC LIMIT $4) AS entry
      LEFT JOIN users AS actor ON entry.actor_kind = 'user' AND actor.id = entry.actor_id
      LEFT JOIN users AS subject
        ON subject.id = CASE WHEN entry.subject_type IN ('user', 'member') THEN entry.subject_id::uuid END
     ORDER BY entry.created_at DESC, entry.id DESC`,
);
