import { Global, Module } from '@nestjs/common';
import { JobQueue } from './job-queue.js';
import { JobRunner } from './job-runner.js';

@Global()
@Module({ providers: [JobQueue, JobRunner], exports: [JobQueue, JobRunner] })
export class JobsModule {}
