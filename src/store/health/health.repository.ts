import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';

const timeoutMs = 2_000;

@Injectable()
export class HealthRepository {
  constructor(private readonly database: Database) {}

  /** Whether the database responds within two seconds, and before the signal. */
  async responds(signal?: AbortSignal): Promise<boolean> {
    const response = this.database.row('SELECT 1 AS one').then(
      () => true,
      () => false,
    );
    const late = sleep(timeoutMs, false, { ref: false, signal }).catch(() => false);
    return Promise.race([response, late]);
  }
}
