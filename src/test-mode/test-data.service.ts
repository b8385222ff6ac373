import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { isLockTimeout, isTransientConflict } from '../platform/errors/database-errors.js';
import { JobHold } from '../platform/jobs/job-hold.js';
import { JobRunner } from '../platform/jobs/job-runner.js';
import { HeldRequests } from './held-requests.js';
import { KeptFiles } from './kept-files.js';
import { ProcessMemory } from './process-memory.js';
import { serviceClock } from './service-clock.js';
import { TestDataRepository } from './test-data.repository.js';
import type { Seed } from './test-schema.statements.js';

const attempts = 20;
const againMs = 25;

/** Puts the service back to a seed: rows, ids, sequences, jobs, pictures, the clock, and what is in memory. */
@Injectable()
export class TestDataService implements OnModuleInit {
  private readonly hold = new JobHold();
  private resetting: Promise<unknown> = Promise.resolve();
  private readonly cleared: (() => void)[] = [];

  constructor(
    private readonly repository: TestDataRepository,
    private readonly files: KeptFiles,
    private readonly memory: ProcessMemory,
    private readonly requests: HeldRequests,
    private readonly jobs: JobRunner,
  ) {}

  onModuleInit(): void {
    this.jobs.holdBy(this.hold);
  }

  /** Calls `clear` at every reset. */
  onReset(clear: () => void): void {
    this.cleared.push(clear);
  }

  /** Keeps the data as they are now, before the service listens. */
  async keep(seed: Seed): Promise<void> {
    await this.repository.keep(seed);
    await this.files.keep(seed);
  }

  /** Puts the data of a seed back, one reset after the other. Returns in how many tables something had changed. */
  reset(seed: Seed): Promise<number> {
    const mine = this.resetting.then(() =>
      this.requests.whileHeld(() => this.hold.whileNoneRuns(() => this.replace(seed))),
    );
    this.resetting = mine.catch(() => undefined);
    return mine;
  }

  private async replace(seed: Seed): Promise<number> {
    serviceClock.turn(0);
    const restored = await this.restorePatiently(seed);
    await this.files.restore(seed);
    for (const clear of this.cleared) clear();
    this.memory.forget();
    await this.jobs.planAll();
    return restored;
  }

  /** What a request left may still write, or the server may tidy a table up. */
  private async restorePatiently(seed: Seed): Promise<number> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.repository.restore(seed);
      } catch (error) {
        if (attempt === attempts || !(isLockTimeout(error) || isTransientConflict(error))) throw error;
        await sleep(againMs);
      }
    }
  }
}
