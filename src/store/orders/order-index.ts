import { Injectable, type OnModuleInit } from '@nestjs/common';
import { JobRunner } from '../../platform/jobs/job-runner.js';
import { OrdersRepository } from './orders.repository.js';

/** Makes new orders searchable where no search did. */
@Injectable()
export class OrderIndex implements OnModuleInit {
  constructor(
    private readonly repository: OrdersRepository,
    private readonly jobs: JobRunner,
  ) {}

  onModuleInit(): void {
    this.jobs.registerRecurring({
      name: 'order-index',
      everySeconds: 60,
      deadlineSeconds: 50,
      handler: ({ signal }) => this.indexAll(signal),
    });
  }

  /** Indexes all that wait, some at a time. */
  async indexAll(signal?: AbortSignal): Promise<void> {
    while ((await this.repository.indexNew()) > 0) signal?.throwIfAborted();
  }
}
