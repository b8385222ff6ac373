import type { Pool } from 'pg';
import { completeJobs, deadWorkers, replacedJobs, unlockWorkers } from './jobs.statements.js';

/** Longer than a worker takes to notice the loss of its lock and to end the jobs in hand. */
const graceMs = 10_000;

/**
 * Frees the jobs of dead workers, which the queue by itself does after four hours. A worker counts as dead when two looks,
 * some time apart, do not find its liveness lock.
 */
export class DeadWorkers {
  private readonly missedSince = new Map<string, number>();

  constructor(private readonly connections: Pool) {}

  /** Looks once, and returns the workers whose jobs it freed. */
  async look(now: number): Promise<string[]> {
    const { rows } = await this.connections.query<{ id: string }>(deadWorkers);
    const missing = new Set(rows.map(({ id }) => id));
    for (const id of this.missedSince.keys()) if (!missing.has(id)) this.missedSince.delete(id);
    for (const id of missing) if (!this.missedSince.has(id)) this.missedSince.set(id, now);
    const freed = [...missing].filter((id) => now - (this.missedSince.get(id) ?? now) >= graceMs);
    if (freed.length > 0) await this.free(freed);
    return freed;
  }

  /** Frees what those of these workers had in hand that are dead. What another job has replaced meanwhile is done. */
  async free(workerIds: readonly string[]): Promise<void> {
    const { rows } = await this.connections.query<{ id: string }>(replacedJobs, [workerIds]);
    await this.connections.query(unlockWorkers, [workerIds]);
    if (rows.length > 0) await this.connections.query(completeJobs, [rows.map(({ id }) => id)]);
  }
}
