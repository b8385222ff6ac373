import { Injectable, type OnModuleInit } from '@nestjs/common';
import { JobRunner } from '../../jobs/job-runner.js';
import { SessionsRepository } from './sessions.repository.js';

const everySeconds = 600;
const deadlineSeconds = 300;

/** Removes sessions that are over. */
@Injectable()
export class SessionSweep implements OnModuleInit {
  constructor(
    private readonly repository: SessionsRepository,
    private readonly jobs: JobRunner,
  ) {}

  onModuleInit(): void {
    const handler = (): Promise<void> => this.repository.sweep();
    this.jobs.registerRecurring({ name: 'session-sweep', everySeconds, deadlineSeconds, handler });
  }
}
