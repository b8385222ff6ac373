import type { Pool } from 'pg';
import type { WorkerPool } from 'graphile-worker';

// All jobs have the same priority; with it named, the queue's own index serves.
const due = `
  SELECT count(*)::integer AS count
    FROM (SELECT FROM graphile_worker._private_jobs
           WHERE is_available AND priority = 0 AND run_at <= now() LIMIT $1) AS jobs`;

/**
 * Wakes idle workers when jobs are due: by one question for all of them, where the library would have each ask by itself.
 * New jobs wake them by notification too; a pooler may swallow those.
 */
export async function wakeForDueJobs(pool: Pool, workers: WorkerPool[], atMost: number): Promise<void> {
  const { rows } = await pool.query<{ count: number }>(due, [atMost]);
  const count = rows[0]?.count ?? 0;
  if (count === 0) return;
  for (const worker of workers) if (worker._active && !worker._shuttingDown) worker.nudge(count);
}
