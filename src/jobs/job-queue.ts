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
  /** How often the queue itself tries a job that throws; tasks that keep their own retries take 1. */
  maxAttempts?: number;
}

const addJob = `SELECT FROM graphile_worker.add_job(
  identifier => $1, payload => $2::json, run_at => $3, job_key => $4, max_attempts => $5)`;

/** Puts jobs into the queue, in the unit of work under way: a job is there exactly when what asked for it is. */
@Injectable()
export class JobQueue {
  constructor(private readonly database: Database) {}

  /** Adds one job. */
  async add({ task, payload, runAt, key, maxAttempts = 25 }: Job): Promise<void> {
    await this.database.execute(addJob, [task, JSON.stringify(payload), runAt ?? null, key ?? null, maxAttempts]);
  }

  /** Takes the waiting job of a key out of the queue. */
  async remove(key: string): Promise<void> {
    await this.database.execute('SELECT FROM graphile_worker.remove_job($1)', [key]);
  }
}
