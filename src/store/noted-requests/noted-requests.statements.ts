import { FilteredStatement } from '../../database/filtered-statement.js';

export type NotedRequestFilter = 'failed' | 'refused' | 'slow' | 'username';

/** With the present name of the account. */
const columns = `entry.id, entry.created_at AS "createdAt", entry.request_id AS "requestId", entry.method, entry.url,
       entry.route, entry.status, entry.milliseconds, entry.code, entry.refusal, entry.failure,
       entry.user_id AS "userId", users.username, entry.key_id AS "keyId",
       entry.organization_id AS "organizationId", entry.address, entry.trace_id AS "traceId"`;

/** A page, newest first, of at most $3 after the position $1, $2. */
export const page = new FilteredStatement<NotedRequestFilter>(
  'noted-requests.page',
  {
    failed: 'status >= 500',
    refused: 'status BETWEEN 400 AND 499',
    slow: 'status < 400',
    username: (parameter) => `user_id = (SELECT id FROM users WHERE username = ${parameter})`,
  },
  (conditions) => `
    SELECT ${columns}
      FROM (SELECT * FROM noted_requests
             WHERE (created_at, id) < ($1, $2) AND created_at <= $1${conditions}
             ORDER BY created_at DESC, id DESC LIMIT $3) AS entry
      LEFT JOIN users ON users.id = entry.user_id
     ORDER BY entry.created_at DESC, entry.id DESC`,
);

/** The newest of the id $1. */
export const byRequestId = `
  SELECT ${columns}
    FROM (SELECT * FROM noted_requests WHERE request_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1) AS entry
    LEFT JOIN users ON users.id = entry.user_id`;

/** Appends the rows of the JSON array $1. */
export const append = `
  INSERT INTO noted_requests (id, created_at, request_id, method, url, route, status, milliseconds, code, refusal,
              failure, user_id, key_id, organization_id, address, trace_id)
  SELECT id, "endedAt", "requestId", method, url, route, status, milliseconds, code, refusal, failure, "userId",
         "keyId", "organizationId", address, "traceId"
    FROM jsonb_to_recordset($1::jsonb) AS entry(
           id uuid, "endedAt" timestamptz, "requestId" text, method text, url text, route text, status smallint,
           milliseconds integer, code text, refusal text, failure text, "userId" uuid, "keyId" uuid,
           "organizationId" uuid, address text, "traceId" text)`;

/** Removes at most $3 that are older than $1 hours, or not among the newest $2. */
export const removeOld = `
  DELETE FROM noted_requests WHERE id IN (
    SELECT id FROM noted_requests
     WHERE created_at < now() - $1 * interval '1 hour'
        OR created_at < (SELECT created_at FROM noted_requests ORDER BY created_at DESC, id DESC OFFSET $2 LIMIT 1)
     LIMIT $3)`;
