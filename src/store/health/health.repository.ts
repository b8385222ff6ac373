import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';

const patienceMs = 2_000;

@Injectable()
export class HealthRepository {
  constructor(private readonly database: Database) {}

  /** Whether the database answers within two seconds. */
  async answers(): Promise<boolean> {
    const answer = this.database.row('SELECT 1 AS one').then(
      () => true,
      () => false,
    );
    return Promise.race([answer, sleep(patienceMs, false, { ref: false })]);
  }
}
