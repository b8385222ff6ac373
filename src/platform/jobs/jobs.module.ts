import { Global, Module } from '@nestjs/common';
import { JobMetrics } from './job-metrics.js';
import { JobQueue } from './job-queue.js';
import { JobRunner } from './job-runner.js';
import { JobsRepository } from './jobs.repository.js';

@Global()
@Module({ providers: [JobMetrics, JobQueue, JobRunner, JobsRepository], exports: [JobMetrics, JobQueue, JobRunner] })
export class JobsModule {}
