import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { addJob, makeTask, queueFigures, removeFailedJobs, removeJob, type TaskFigures } from './jobs.statements.js';

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

  figures(): Promise<TaskFigures[]> {
    return this.database.rows<TaskFigures & Record<string, unknown>>(queueFigures, [mostCounted]);
  }

  /** Removes some; returns whether there may be more. */
  async removeFailed(days: number): Promise<boolean> {
    return (await this.database.execute(removeFailedJobs, [days, batch])) === batch;
  }
}
