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
import { isSeed } from './test-schema.statements.js';

/** Files of rows that are kept as seeds; the oldest one makes room. */
const mostFiles = 20;
const attempts = 20;
const againMs = 25;

/** Puts the service back to a seed: rows, ids, sequences, jobs, pictures, the clock, and what is in memory. */
@Injectable()
export class TestDataService implements OnModuleInit {
  private readonly hold = new JobHold();
  private resetting: Promise<unknown> = Promise.resolve();
  private readonly cleared: (() => void)[] = [];
  private readonly kept = new Set<string>();

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
  async keep(seed: string): Promise<void> {
    await this.repository.keep(seed);
    await this.files.keep(seed);
    this.kept.add(seed);
  }

  /**
   * Puts the data of a seed back, one reset after the other. A seed that is not kept yet is made from the empty one. Returns in
   * how many tables something had changed.
   */
  reset(seed: string, make?: () => Promise<void>): Promise<number> {
    const replace = () => (make && !this.kept.has(seed) ? this.makeSeed(seed, make) : this.replace(seed));
    const mine = this.resetting.then(() => this.requests.whileHeld(() => this.hold.whileNoneRuns(replace)));
    this.resetting = mine.catch(() => undefined);
    return mine;
  }

  private async makeSeed(seed: string, make: () => Promise<void>): Promise<number> {
    const restored = await this.replace('empty');
    await make();
    const [oldest, ...others] = [...this.kept].filter((name) => !isSeed(name));
    if (oldest !== undefined && others.length >= mostFiles - 1) await this.drop(oldest);
    await this.keep(seed);
    return restored;
  }

  private async drop(seed: string): Promise<void> {
    this.kept.delete(seed);
    await this.repository.drop(seed);
    await this.files.drop(seed);
  }

  private async replace(seed: string): Promise<number> {
    serviceClock.turn(0);
    const restored = await this.restorePatiently(seed);
    await this.files.restore(seed);
    for (const clear of this.cleared) clear();
    this.memory.forget();
    await this.jobs.planAll();
    return restored;
  }

  /** What a request left may still write, or the server may tidy a table up. */
  private async restorePatiently(seed: string): Promise<number> {
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
