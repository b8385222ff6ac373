import type { Pool } from 'pg';
import { workerIsAlive } from './worker-life.js';

/** Longer than a worker that loses its proof takes to notice it and to end what it has in hand. */
const graceMs = 10_000;

const dead = `
  SELECT DISTINCT locked_by AS id FROM graphile_worker.jobs
   WHERE locked_by IS NOT NULL AND NOT ${workerIsAlive('locked_by')}`;

const unlock = `
  SELECT graphile_worker.force_unlock_workers(ids)
    FROM (SELECT array_agg(id) AS ids FROM unnest($1::text[]) AS id WHERE NOT ${workerIsAlive('id')}) AS workers
   WHERE ids IS NOT NULL`;

/**
 * Frees the jobs of workers that died with them; by itself the queue would wait four hours. A worker counts as dead when
 * two looks, some time apart, find no proof of its life.
 */
export class DeadWorkers {
  private readonly missedSince = new Map<string, number>();

  constructor(private readonly pool: Pool) {}

  /** Looks once, and answers the workers whose jobs it freed. */
  async look(now: number): Promise<string[]> {
    const { rows } = await this.pool.query<{ id: string }>(dead);
    const missing = new Set(rows.map(({ id }) => id));
    for (const id of this.missedSince.keys()) if (!missing.has(id)) this.missedSince.delete(id);
    for (const id of missing) if (!this.missedSince.has(id)) this.missedSince.set(id, now);
    const freed = [...missing].filter((id) => now - (this.missedSince.get(id) ?? now) >= graceMs);
    if (freed.length > 0) await this.pool.query(unlock, [freed]);
    return freed;
  }
}
