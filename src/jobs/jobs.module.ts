import { Global, Module } from '@nestjs/common';
import { JobQueue } from './job-queue.js';
import { JobRunner } from './job-runner.js';
import { JobsRepository } from './jobs.repository.js';

@Global()
@Module({ providers: [JobQueue, JobRunner, JobsRepository], exports: [JobQueue, JobRunner] })
export class JobsModule {}
