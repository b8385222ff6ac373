import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { addJob, removeFailedJobs, removeJob } from './jobs.statements.js';

/** The jobs removed at once, so that no lock is held for long. */
const batch = 2_000;

@Injectable()
export class JobsRepository {
  constructor(private readonly database: Database) {}

  async add(values: unknown[]): Promise<void> {
    await this.database.execute(addJob, values);
  }

  async remove(key: string): Promise<void> {
    await this.database.execute(removeJob, [key]);
  }

  async removeFailed(days: number): Promise<void> {
    while ((await this.database.execute(removeFailedJobs, [days, batch])) === batch);
  }
}
