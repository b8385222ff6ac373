import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';

export interface Job {
  /** The name under which a task is registered with the runner. */
  task: string;
  payload: Record<string, unknown>;
  /** The earliest time to run; now where left out. */
  runAt?: Date;
  /** At most one waiting job has a key: adding it again replaces the job. */
  key?: string;
  /** A job of this key that is there already stays as it is. */
  ifAbsent?: boolean;
  /** How often the queue itself tries a job that throws. */
  maxAttempts?: number;
  /** Marks by which a runner passes over jobs for a while. */
  flags?: string[];
}

const addJob = `SELECT FROM graphile_worker.add_job(
  identifier => $1, payload => $2::json, run_at => $3, job_key => $4, max_attempts => $5, flags => $6,
  job_key_mode => $7)`;

/** Puts jobs into the queue, in the unit of work under way: a job is there exactly when what asked for it is. */
@Injectable()
export class JobQueue {
  constructor(private readonly database: Database) {}

  /** Adds one job. */
  async add({ task, payload, runAt, key, ifAbsent = false, maxAttempts = 25, flags }: Job): Promise<void> {
    const mode = ifAbsent ? 'unsafe_dedupe' : 'replace';
    const values = [task, JSON.stringify(payload), runAt ?? null, key ?? null, maxAttempts, flags ?? null, mode];
    await this.database.execute(addJob, values);
  }

  /** Takes the waiting job of a key out of the queue. */
  async remove(key: string): Promise<void> {
    await this.database.execute('SELECT FROM graphile_worker.remove_job($1)', [key]);
  }
}
