import { Injectable, type OnModuleInit } from '@nestjs/common';
import { JobRunner } from '../../platform/jobs/job-runner.js';
import { RefundsService } from './refunds.service.js';
import { SessionOutcomesService } from './session-outcomes.service.js';
import { UnpaidOrders } from './unpaid-orders.js';

/** Finds again what a killed node, a lost webhook or a provider that was away left behind. */
@Injectable()
export class PaymentJobs implements OnModuleInit {
  constructor(
    private readonly jobs: JobRunner,
    private readonly outcomes: SessionOutcomesService,
    private readonly refunds: RefundsService,
    private readonly unpaid: UnpaidOrders,
  ) {}

  onModuleInit(): void {
    const often = { everySeconds: 60, deadlineSeconds: 55 };
    this.jobs.registerRecurring({
      ...often,
      name: 'open-payments',
      handler: ({ signal }) => this.outcomes.askAboutOpen(signal),
    });
    this.jobs.registerRecurring({
      ...often,
      name: 'pending-refunds',
      handler: ({ signal }) => this.refunds.takeUp(signal),
    });
    this.jobs.registerRecurring({
      ...often,
      name: 'unpaid-orders',
      handler: ({ signal }) => this.unpaid.cancel(signal),
    });
  }
}
