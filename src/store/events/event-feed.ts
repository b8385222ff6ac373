import { Injectable, type OnModuleInit } from '@nestjs/common';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { JobQueue } from '../../platform/jobs/job-queue.js';
import { JobRunner } from '../../platform/jobs/job-runner.js';
import { type NumberedEvent, StoreEventsRepository } from './store-events.repository.js';
import { eventsTask } from './store-events.statements.js';

type Step = (events: NumberedEvent[]) => Promise<void>;

/**
 * Gives new events their numbers, in the order in which they became visible, and passes them on to those who have added a
 * step: each event once, in the transaction that numbers it.
 */
@Injectable()
export class EventFeed implements OnModuleInit {
  private readonly steps: Step[] = [];
  private running: Promise<void> | null = null;
  private again = false;

  constructor(
    private readonly repository: StoreEventsRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly queue: JobQueue,
    private readonly jobs: JobRunner,
  ) {}

  async onModuleInit(): Promise<void> {
    this.jobs.register(eventsTask, () => this.passOn(), { deadlineSeconds: 300 });
    this.jobs.registerRecurring({
      name: 'store-events-waiting',
      everySeconds: 60,
      deadlineSeconds: 50,
      handler: () => this.passOn(),
    });
    this.jobs.registerRecurring({
      name: 'store-event-retention',
      everySeconds: 86_400,
      deadlineSeconds: 3_600,
      handler: ({ signal }) => this.removeOld(signal),
    });
    await this.queue.prepare(eventsTask);
  }

  /** Adds a step for new events, within the unit of work that numbers them. */
  add(step: Step): void {
    this.steps.push(step);
  }

  /** Numbers what is new; returns the last number. */
  async upToDate(): Promise<number> {
    const { last, isBehind } = await this.repository.numbers();
    if (!isBehind) return last;
    await this.passOn();
    return (await this.repository.numbers()).last;
  }

  /** Numbers all new events and passes them on. Calls that come while one is at it share the next round. */
  passOn(): Promise<void> {
    this.again = true;
    this.running ??= this.rounds();
    return this.running;
  }

  /** Numbers the events of the current unit of work and of all changes before it; some may be left. */
  async passOnSome(): Promise<boolean> {
    const events = await this.repository.number();
    if (events.length === 0) return false;
    for (const step of this.steps) await step(events);
    return true;
  }

  /** Removes all that are too old, with their deliveries. */
  async removeOld(signal?: AbortSignal): Promise<void> {
    while (await this.repository.removeOld()) signal?.throwIfAborted();
  }

  private async rounds(): Promise<void> {
    try {
      while (this.again) {
        this.again = false;
        while (await this.unitOfWork.run(() => this.passOnSome()));
      }
    } finally {
      this.running = null;
    }
  }
}
