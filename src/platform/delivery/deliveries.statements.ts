import { addJobSql, type JobSql, removeJobSql, workerIsAlive } from '../jobs/jobs.statements.js';

/** The error in the log of an attempt whose end nobody saw. */
export const interrupted = 'The service ended in the middle of this attempt';

/** SQL, a function call, that queues an attempt of a delivery: a row of this name with `id` and `turn`. */
export function queueAttempt(task: string, delivery: string, options: Pick<JobSql, 'runAt' | 'flags'>): string {
  const payload = `json_build_object('deliveryId', ${delivery}.id, 'turn', ${delivery}.turn)`;
  return addJobSql(task, { payload, id: `${delivery}.id`, ...options });
}

/** Ends the open attempts of these deliveries, whose worker died, in the log. */
export function endAttempts(deliveries: string): string {
  return `UPDATE webhook_attempts a SET error = '${interrupted}', duration_ms = 0
            FROM ${deliveries} WHERE a.delivery_id = ${deliveries}.id AND a.duration_ms IS NULL`;
}

/** SQL that cancels the waiting deliveries `d` of a task. One whose attempt is in progress goes on to the end of that. */
export function cancelDeliveries(task: string, which: string): string {
  return `
  WITH canceled AS (
    UPDATE webhook_deliveries d
       SET status = 'CANCELED', claimed_by = NULL, next_attempt_at = NULL, finished_at = now()
     WHERE ${which} AND d.status IN ('PENDING', 'RETRYING')
       AND (d.claimed_by IS NULL OR NOT ${workerIsAlive('d.claimed_by')})
    RETURNING d.id
  ), broken_off AS (
    ${endAttempts('canceled')}
  )
  SELECT ${removeJobSql(task, 'id')} FROM canceled`;
}

/**
 * SQL that begins the attempts anew for those deliveries `d` that `which` selects, and queues their jobs. $1 are the receivers
 * that may send, with the flags of their jobs; `receiver` is the column that names a delivery's.
 */
export function replayDeliveries(task: string, receiver: string, which: string): string {
  return `
  WITH flagged AS (
    SELECT id, flags FROM jsonb_to_recordset($1::jsonb) AS receiver(id uuid, flags text[])
  ), again AS (
    UPDATE webhook_deliveries d
       SET status = 'PENDING', turn = turn + 1, series_failures = 0, next_attempt_at = now(), finished_at = NULL
      FROM flagged
     WHERE ${receiver} = flagged.id AND ${which}
    RETURNING d.id, d.turn, flagged.flags
  )
  SELECT ${queueAttempt(task, 'again', { flags: 'again.flags' })} FROM again`;
}

/** Replays add attempts without a limit. */
const shownAttempts = 50;

/** SQL of the columns of a delivery `d` that all users show; `response` is that of an attempt `a`. */
export const deliveryColumns = (response: string): string => `
  d.id, d.url_sealed AS "urlSealed", d.payload_bytes AS "payloadBytes", d.created_at AS "createdAt",
  (SELECT count(*)::integer FROM webhook_attempts a WHERE a.delivery_id = d.id) AS "attemptCount",
  (SELECT coalesce(json_agg(json_build_object(
            'number', a.number, 'startedAt', a.started_at, 'durationMs', a.duration_ms, 'statusCode', a.status_code,
            'error', a.error, 'response', ${response}) ORDER BY a.number), '[]')
     FROM (SELECT * FROM webhook_attempts w WHERE w.delivery_id = d.id
            ORDER BY w.number DESC LIMIT ${shownAttempts}) AS a) AS attempts`;

/**
 * SQL of a page of deliveries: the newest of each status (and group), in the order of an index, and the newest of these.
 * $2 and $3 are the time and id after which the page begins, $4 its size, $5 and $6 the times between which they were made.
 */
export const newestDeliveries = (groups: string, condition: string, columns: string): string => `
  WITH newest AS MATERIALIZED (
    SELECT one.id, one.created_at FROM ${groups}, LATERAL (
      SELECT d.id, d.created_at FROM webhook_deliveries d
       WHERE ${condition} AND d.status = wanted.status
         AND (d.created_at, d.id) < ($2, $3) AND d.created_at >= $5 AND d.created_at < $6
       ORDER BY d.created_at DESC, d.id DESC LIMIT $4) AS one
     ORDER BY one.created_at DESC, one.id DESC LIMIT $4
  )
  SELECT ${columns} FROM newest JOIN webhook_deliveries d ON d.id = newest.id
   ORDER BY d.created_at DESC, d.id DESC`;
