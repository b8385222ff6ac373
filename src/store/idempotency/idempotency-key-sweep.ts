import { Injectable, type OnModuleInit } from '@nestjs/common';
import { JobRunner } from '../../platform/jobs/job-runner.js';
import { IdempotencyKeysRepository } from './idempotency-keys.repository.js';

/** Removes Idempotency-Keys that have expired. */
@Injectable()
export class IdempotencyKeySweep implements OnModuleInit {
  constructor(
    private readonly repository: IdempotencyKeysRepository,
    private readonly jobs: JobRunner,
  ) {}

  onModuleInit(): void {
    this.jobs.registerRecurring({
      name: 'idempotency-key-sweep',
      everySeconds: 3_600,
      deadlineSeconds: 600,
      handler: ({ signal }) => this.removeExpired(signal),
    });
  }

  /** Removes all that have expired, some at a time. */
  async removeExpired(signal?: AbortSignal): Promise<void> {
    while ((await this.repository.sweep()) > 0) signal?.throwIfAborted();
  }
}
