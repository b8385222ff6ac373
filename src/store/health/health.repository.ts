import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';

const timeoutMs = 2_000;

@Injectable()
export class HealthRepository {
  constructor(private readonly database: Database) {}

  /** Whether the database responds within two seconds. */
  async responds(): Promise<boolean> {
    const response = this.database.row('SELECT 1 AS one').then(
      () => true,
      () => false,
    );
    return Promise.race([response, sleep(timeoutMs, false, { ref: false })]);
  }
}
