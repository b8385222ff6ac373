import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import * as sql from './test-schema.statements.js';

/** The seeds and the clock in the database. */
@Injectable()
export class TestDataRepository {
  constructor(private readonly database: Database) {}

  /** Keeps the rows as they are now. */
  async keep(seed: string): Promise<void> {
    await this.database.execute(sql.keepSeed, [seed]);
  }

  /** Puts the rows of a seed back; returns in how many tables. */
  async restore(seed: string): Promise<number> {
    return (await this.database.one<{ restored: number }>(sql.restoreSeed, [seed])).restored;
  }

  async drop(seed: string): Promise<void> {
    await this.database.execute(sql.dropSeed(seed));
  }

  /** Moves the database's idea of now by so many milliseconds. */
  async setShift(milliseconds: number): Promise<void> {
    await this.database.execute(sql.setShift, [milliseconds]);
  }

  /** Makes recurring jobs due at these times at the latest. */
  async planAtLatest(planned: readonly { name: string; at: Date }[]): Promise<void> {
    await this.database.execute(sql.planAtLatest, [planned.map(({ name }) => name), planned.map(({ at }) => at)]);
  }

  /** The jobs that wait and are due, and those that a worker has, by their task. */
  openJobs(): Promise<sql.OpenJobs[]> {
    return this.database.rows<sql.OpenJobs & Record<string, unknown>>(sql.openJobs);
  }
}
