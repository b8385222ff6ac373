import { traceMark } from '../../database/traced-statement.js';

/** The parts that a statement gives of the jobs that it adds, each as an SQL expression. */
export interface JobSql {
  payload: string;
  /** The subject of the job: at most one waiting job of the task has it, and adding that again replaces the job. */
  id?: string;
  /** The earliest time to run; defaults to now. */
  runAt?: string;
  flags?: string;
}

const keyOf = (task: string, id: string): string => `'${task}:' || ${id}`;

/** The key of the job about `id`. */
export function jobKey(task: string, id: string): string {
  return `${task}:${id}`;
}

/** SQL, a function call, that adds a job: for statements that write and enqueue in one round trip. */
export function addJobSql(task: string, { payload, id, runAt, flags }: JobSql): string {
  const given = {
    identifier: `'${task}'`,
    payload: `(${payload}${traceMark})::json`,
    job_key: id && keyOf(task, id),
    run_at: runAt,
    flags,
  };
  const named = Object.entries(given).flatMap(([name, value]) => (value ? [`${name} => ${value}`] : []));
  return `graphile_worker.add_job(${named.join(', ')})`;
}

/** The queues that have quiet jobs. */
type QuietQueue = 'mail' | 'ordinary';

/** The priorities of quiet jobs, by which those of a queue are counted; others have 0, and are taken first. */
const quietPriorities: Record<QuietQueue, number> = { mail: 1, ordinary: 2 };

interface QuietJobSql {
  /** That of the task. */
  queue: QuietQueue;
  payload: string;
  rows: string;
}

/**
 * SQL, an INSERT, that adds a job for each row of `rows` without a word to the workers, who find it at their next look, within
 * a second: for statements that many requests run at once. It names the library's tables, since the documented `add_job` costs
 * six times as much: it notifies, and PostgreSQL lets only one notifying transaction commit at a time
 * (docs/decisions/2026-11-26-a-lighter-house.md). `JobQueue.prepare` makes the task known.
 */
export function addQuietJobsSql(task: string, { queue, payload, rows }: QuietJobSql): string {
  return `INSERT INTO graphile_worker._private_jobs (task_id, payload, priority)
    SELECT (SELECT id FROM graphile_worker._private_tasks WHERE identifier = '${task}'),
           (${payload}${traceMark})::json, ${quietPriorities[queue]}
      FROM ${rows}`;
}

/** Makes a task known that no job had yet. */
export const makeTask = `
  INSERT INTO graphile_worker._private_tasks (identifier) SELECT $1
   WHERE NOT EXISTS (SELECT FROM graphile_worker._private_tasks WHERE identifier = $1) ON CONFLICT DO NOTHING`;

/** SQL, a function call, that takes the job about `id` out of the queue; a running one is not tried again. */
export function removeJobSql(task: string, id: string): string {
  return `graphile_worker.remove_job(${keyOf(task, id)})`;
}

/** SQL that holds while a job about `id` runs or waits. */
export function jobExistsSql(task: string, id: string): string {
  return `EXISTS (SELECT FROM graphile_worker.jobs j
    WHERE j.key = ${keyOf(task, id)} AND (j.locked_at IS NOT NULL OR j.attempts < j.max_attempts))`;
}

export const addJob = `SELECT FROM graphile_worker.add_job(
  identifier => $1, payload => ($2${traceMark})::json, run_at => $3, job_key => $4, max_attempts => $5, flags => $6,
  job_key_mode => $7)`;

export const removeJob = 'SELECT FROM graphile_worker.remove_job($1)';

/** $1 days, at most $2 jobs at once. */
export const removeFailedJobs = `
  SELECT graphile_worker.complete_jobs(ARRAY(
    SELECT id FROM graphile_worker.jobs
     WHERE attempts >= max_attempts AND locked_at IS NULL AND updated_at < now() - $1 * interval '1 day'
     LIMIT $2))`;

/** A job with a sealed value in its payload. */
export interface SealedJob {
  id: string;
  payload: Record<string, unknown> & { sealed: string };
}

/** Those of the task $1 after the id $2. The documented view does not show payloads. */
export const sealedJobs = `
  SELECT id::text AS id, payload FROM graphile_worker._private_jobs
   WHERE task_id = (SELECT id FROM graphile_worker._private_tasks WHERE identifier = $1)
     AND id > $2::bigint AND payload ->> 'sealed' IS NOT NULL
   ORDER BY _private_jobs.id LIMIT 200`;

/** Replaces the sealed values $2 of the jobs $1 by $3, where they are the same and not locked. */
export const replaceSealedJobs = `
  WITH wanted AS (SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[]) AS w (id, was, next)),
       free AS (SELECT j.id FROM graphile_worker._private_jobs j JOIN wanted w USING (id)
                 WHERE j.payload ->> 'sealed' = w.was FOR UPDATE OF j SKIP LOCKED)
  UPDATE graphile_worker._private_jobs AS j
     SET payload = jsonb_set(j.payload::jsonb, '{sealed}', to_jsonb(w.next))::json
    FROM wanted w JOIN free USING (id)
   WHERE j.id = w.id AND j.payload ->> 'sealed' = w.was`;

/** At most $1. By the library's table and the priority, since its index serves neither the documented view nor other conditions. */
const countDue = (priority: number): string => `
  SELECT count(*)::integer
    FROM (SELECT FROM graphile_worker._private_jobs
           WHERE is_available AND priority = ${priority} AND run_at <= now() LIMIT $1) AS jobs`;

/** The due jobs: the loud ones of all queues, and the quiet ones of each queue that has some. */
export type DueJobs = Record<QuietQueue | 'loud', number>;

/** Each at most $1. */
export const countDueJobs = `SELECT (${countDue(0)}) AS loud, (${countDue(quietPriorities.mail)}) AS mail,
  (${countDue(quietPriorities.ordinary)}) AS ordinary`;

/** The jobs of a task that wait. */
export interface TaskFigures {
  task: string;
  /** Due, and not taken. */
  waiting: number;
  /** Not due yet. */
  planned: number;
  /** For how many seconds the oldest due one has waited. */
  oldest: number;
}

/** The jobs of a task that were given up. */
export interface GivenUpJobs {
  task: string;
  failed: number;
  /** What the newest of them said last. */
  fault: string | null;
}

/** The jobs of each task that were given up, $1 at most. */
export const givenUpJobs = `
  SELECT task_identifier AS task, count(*)::integer AS failed,
         (array_agg(last_error ORDER BY updated_at DESC))[1] AS fault
    FROM (SELECT task_identifier, last_error, updated_at FROM graphile_worker.jobs
           WHERE attempts >= max_attempts AND locked_at IS NULL LIMIT $1) AS jobs
   GROUP BY task_identifier`;

/** The ids of at most $2 given-up jobs of the task $1. */
const givenUpIds = `
  ARRAY(SELECT id FROM graphile_worker.jobs
         WHERE task_identifier = $1 AND attempts >= max_attempts AND locked_at IS NULL LIMIT $2)`;

/** Tries $2 given-up jobs of the task $1 anew. */
export const retryGivenUpJobs = `
  SELECT FROM graphile_worker.reschedule_jobs(${givenUpIds}, run_at => now(), attempts => 0)`;

/** Removes $2 given-up jobs of the task $1. */
export const dropGivenUpJobs = `SELECT FROM graphile_worker.complete_jobs(${givenUpIds})`;

/** Counts $1 jobs at most. */
export const queueFigures = `
  SELECT task_identifier AS task,
         count(*) FILTER (WHERE run_at <= now())::integer AS waiting,
         count(*) FILTER (WHERE run_at > now())::integer AS planned,
         coalesce(extract(epoch FROM now() - min(run_at) FILTER (WHERE run_at <= now())), 0)::float8 AS oldest
    FROM (SELECT task_identifier, run_at FROM graphile_worker.jobs
           WHERE locked_at IS NULL AND attempts < max_attempts LIMIT $1) AS jobs
   GROUP BY task_identifier`;

/** Any number that belongs only to this purpose. */
const lockClass = 528_411_301;

/**
 * SQL that holds while the worker with the id in `expression` is alive, however slow it may be: its connection holds an
 * advisory lock in its name, and ends with its process.
 */
export function workerIsAlive(expression: string): string {
  return `EXISTS (SELECT FROM pg_locks
    WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND classid = ${lockClass} AND objid = hashtext(${expression})::oid AND objsubid = 2 AND granted)`;
}

/** Asks nothing: an answer shows that the connection is alive. */
export const beat = 'SELECT';

// A transaction's lock, since a pooler may give each transaction another session. It reads nothing, so it keeps no row
// version from being vacuumed. Keep-alives detect a machine that is cut off rather than ended.
export const beginLiveness = `
  BEGIN;
  SET LOCAL idle_in_transaction_session_timeout = 0;
  SET LOCAL tcp_keepalives_idle = 10;
  SET LOCAL tcp_keepalives_interval = 5;
  SET LOCAL tcp_keepalives_count = 3`;

export const lockLiveness = `SELECT pg_advisory_xact_lock_shared(${lockClass}, hashtext(id)) FROM unnest($1::text[]) AS id`;

export const deadWorkers = `
  SELECT DISTINCT locked_by AS id FROM graphile_worker.jobs
   WHERE locked_by IS NOT NULL AND NOT ${workerIsAlive('locked_by')}`;

/**
 * The jobs in the hands of these workers that were replaced since: a job that plans another one about its own subject loses its
 * key, and its further tries. It would count as given up, although nothing is left of it to do.
 */
export const replacedJobs = `
  SELECT id FROM graphile_worker.jobs
   WHERE locked_by = ANY ($1) AND key IS NULL AND attempts >= max_attempts AND updated_at >= locked_at`;

/** Takes free jobs out of the queue. */
export const completeJobs = 'SELECT FROM graphile_worker.complete_jobs($1)';

export const unlockWorkers = `
  SELECT graphile_worker.force_unlock_workers(ids)
    FROM (SELECT array_agg(id) AS ids FROM unnest($1::text[]) AS id WHERE NOT ${workerIsAlive('id')}) AS workers
   WHERE ids IS NOT NULL`;
