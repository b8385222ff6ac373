import { Injectable } from '@nestjs/common';
import { JobsRepository } from './jobs.repository.js';
import type { GivenUpJobs, SealedJob } from './jobs.statements.js';

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

  /**
   * Replaces the sealed values in the payloads of a task's jobs by what `next` makes of each, a page at a time. `next`
   * returns null for one that stays. Returns how many were replaced, and how many could not be now.
   */
  async replaceSealed(
    task: string,
    next: (payload: SealedJob['payload']) => string | null,
  ): Promise<{ replaced: number; left: number }> {
    const counts = { replaced: 0, left: 0 };
    for (let after = '0'; ;) {
      const page = await this.repository.sealed(task, after);
      const last = page.at(-1);
      if (!last) return counts;
      const changes = page.flatMap(({ id, payload }) => {
        const sealed = next(payload);
        return sealed === null ? [] : [{ id, was: payload.sealed, next: sealed }];
      });
      const replaced = changes.length === 0 ? 0 : await this.repository.replaceSealed(changes);
      counts.replaced += replaced;
      counts.left += changes.length - replaced;
      after = last.id;
    }
  }

  /** The jobs of each task that were given up after all tries. */
  givenUp(): Promise<GivenUpJobs[]> {
    return this.repository.givenUp();
  }

  /** Tries the given-up jobs of a task anew, 2,000 at most; returns how many. */
  retryGivenUp(task: string): Promise<number> {
    return this.repository.retryGivenUp(task);
  }

  /** Removes the given-up jobs of a task, 2,000 at most; returns how many. */
  dropGivenUp(task: string): Promise<number> {
    return this.repository.dropGivenUp(task);
  }

  /** Removes the jobs that were last tried so many days ago and will not be tried again. */
  async removeFailed(days: number, signal?: AbortSignal): Promise<void> {
    while (await this.repository.removeFailed(days)) signal?.throwIfAborted();
  }
}
