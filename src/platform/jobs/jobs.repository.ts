import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import {
  addJob,
  dropGivenUpJobs,
  type GivenUpJobs,
  givenUpJobs,
  makeTask,
  queueFigures,
  removeFailedJobs,
  removeJob,
  replaceSealedJobs,
  retryGivenUpJobs,
  type SealedJob,
  sealedJobs,
  type TaskFigures,
} from './jobs.statements.js';

/** The jobs removed at once, so that no lock is held for long. */
const batch = 2_000;
/** A deeper queue is counted up to here. */
const mostCounted = 100_000;

@Injectable()
export class JobsRepository {
  constructor(private readonly database: Database) {}

  async add(values: unknown[]): Promise<void> {
    await this.database.execute(addJob, values);
  }

  async remove(key: string): Promise<void> {
    await this.database.execute(removeJob, [key]);
  }

  async makeTask(name: string): Promise<void> {
    await this.database.execute(makeTask, [name]);
  }

  /** Some waiting jobs of a task that hold a sealed value, after an id. */
  sealed(task: string, after: string): Promise<SealedJob[]> {
    return this.database.rows<SealedJob & Record<string, unknown>>(sealedJobs, [task, after]);
  }

  /** Replaces the sealed values of jobs that are still the same and that nobody else has locked; returns how many. */
  replaceSealed(jobs: readonly { id: string; was: string; next: string }[]): Promise<number> {
    return this.database.execute(replaceSealedJobs, [
      jobs.map(({ id }) => id),
      jobs.map(({ was }) => was),
      jobs.map(({ next }) => next),
    ]);
  }

  figures(): Promise<TaskFigures[]> {
    return this.database.rows<TaskFigures & Record<string, unknown>>(queueFigures, [mostCounted]);
  }

  /** The jobs of each task that were given up. */
  givenUp(): Promise<GivenUpJobs[]> {
    return this.database.rows<GivenUpJobs & Record<string, unknown>>(givenUpJobs, [mostCounted]);
  }

  /** Tries some of a task's given-up jobs anew; returns how many. */
  async retryGivenUp(task: string): Promise<number> {
    return (await this.database.rows(retryGivenUpJobs, [task, batch])).length;
  }

  /** Removes some of a task's given-up jobs; returns how many. */
  async dropGivenUp(task: string): Promise<number> {
    return (await this.database.rows(dropGivenUpJobs, [task, batch])).length;
  }

  /** Removes some; returns whether there may be more. */
  async removeFailed(days: number): Promise<boolean> {
    return (await this.database.execute(removeFailedJobs, [days, batch])) === batch;
  }
}
