import { setTimeout as sleep } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable, type OnModuleInit } from '@nestjs/common';
import { UnitOfWork } from '../database/unit-of-work.js';
import { JobRunner } from '../jobs/job-runner.js';
import { MailOutboxRepository } from './mail-outbox.repository.js';
import { Mailer } from './mailer.js';

const sweepSeconds = 15;
/** A node moves so many mails at once, and the next ones this much later: mails never take the time of requests. */
const atOnce = 10;
const pauseMs = 1_000;
/** Mails left within this time leave together. */
const gatherMs = 100;

/**
 * Moves the mails that statements left in the outbox into the job queue, at most ten a second: soon after a request of this
 * node left one there, and every 15 seconds the ones that ended nodes left behind.
 */
@Injectable()
export class MailOutbox implements OnModuleInit, BeforeApplicationShutdown {
  private readonly stopping = new AbortController();
  private moving: Promise<void> | undefined;
  /** Whether a statement left more since the last look. */
  private isWanted = false;

  constructor(
    private readonly repository: MailOutboxRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly jobs: JobRunner,
    private readonly mailer: Mailer,
  ) {}

  onModuleInit(): void {
    this.jobs.registerRecurring({ name: 'mail-outbox', everySeconds: sweepSeconds, handler: () => this.move() });
  }

  /** Empties the outbox in the background, once the current unit of work is committed. */
  empty(): void {
    if (!this.mailer.isOn) return;
    this.unitOfWork.afterCommit(() => void this.move());
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.moving;
  }

  private move(): Promise<void> {
    this.isWanted = true;
    // Outside the unit of work of the request that asks: its connection is not ours.
    this.moving ??= this.unitOfWork.outside(() => this.moveAll()).finally(() => (this.moving = undefined));
    return this.moving;
  }

  private async moveAll(): Promise<void> {
    await this.rest(gatherMs);
    while (this.isWanted && !this.stopping.signal.aborted) {
      this.isWanted = false;
      const moved = await this.repository.move(atOnce).catch(() => 0); // the sweep tries again
      this.isWanted ||= moved === atOnce;
      await this.rest(pauseMs);
    }
  }

  private async rest(ms: number): Promise<void> {
    const { signal } = this.stopping;
    await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
