import { Injectable } from '@nestjs/common';
import { JobsRepository } from './jobs.repository.js';

export interface JobOptions {
  /** The earliest time to run; defaults to now. */
  runAt?: Date;
  /** At most one waiting job has a key: adding it again replaces the job. */
  key?: string;
  /** Leaves a job of this key as it is. */
  ifAbsent?: boolean;
  /** The tries of the queue itself for a job that throws. */
  maxAttempts?: number;
  /** A runner skips jobs whose flags it forbids. */
  flags?: string[];
}

/**
 * Puts jobs into the queue, in the unit of work under way, so that a job exists exactly when the change that asked for it
 * does. Statements that write and enqueue in one round trip take their SQL from `jobs.statements.ts`.
 */
@Injectable()
export class JobQueue {
  constructor(private readonly repository: JobsRepository) {}

  /** Adds a job of a task that is registered with the runner. */
  add(task: string, payload: Record<string, unknown>, options: JobOptions = {}): Promise<void> {
    const { runAt = null, key = null, ifAbsent = false, maxAttempts = 25, flags = null } = options;
    const mode = ifAbsent ? 'unsafe_dedupe' : 'replace';
    return this.repository.add([task, JSON.stringify(payload), runAt, key, maxAttempts, flags, mode]);
  }

  /** Takes the waiting job of a key out of the queue. */
  remove(key: string): Promise<void> {
    return this.repository.remove(key);
  }

  /** Makes a task known, so that statements can add quiet jobs of it. */
  prepare(task: string): Promise<void> {
    return this.repository.makeTask(task);
  }

  /** Removes the jobs that were last tried so many days ago and will not be tried again. */
  async removeFailed(days: number, signal?: AbortSignal): Promise<void> {
    while (await this.repository.removeFailed(days)) signal?.throwIfAborted();
  }
}
