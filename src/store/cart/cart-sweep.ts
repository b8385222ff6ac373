import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { JobRunner } from '../../platform/jobs/job-runner.js';
import { CartRepository } from './cart.repository.js';

/** Empties carts that nobody has changed for long. */
@Injectable()
export class CartSweep implements OnModuleInit {
  constructor(
    private readonly repository: CartRepository,
    private readonly jobs: JobRunner,
    private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    this.jobs.registerRecurring({
      name: 'cart-retention',
      everySeconds: 86_400,
      deadlineSeconds: 3_600,
      handler: ({ signal }) => this.emptyAbandoned(signal),
    });
  }

  /** Walks all carts, some at a time. */
  async emptyAbandoned(signal?: AbortSignal): Promise<void> {
    for (let last: number | null = 0; last !== null;) {
      signal?.throwIfAborted();
      last = await this.repository.emptyAbandoned(last, this.settings.cartRetentionDays);
    }
  }
}
