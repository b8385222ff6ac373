import type { Pool } from 'pg';

// All jobs have the same priority; with it named, the queue's own index serves.
const due = `
  SELECT count(*)::integer AS count
    FROM (SELECT FROM graphile_worker._private_jobs
           WHERE is_available AND priority = 0 AND run_at <= now() LIMIT $1) AS jobs`;

/**
 * Answers how many jobs are due, as far as `atMost`: one question for all workers, where the library would have each ask by
 * itself. New jobs wake workers by notification too; a pooler may swallow those.
 */
export async function countDueJobs(pool: Pool, atMost: number): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(due, [atMost]);
  return rows[0]?.count ?? 0;
}
