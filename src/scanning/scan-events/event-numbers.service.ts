import { Injectable, type OnModuleInit } from '@nestjs/common';
import { JobRunner } from '../../platform/jobs/job-runner.js';
import { afterBatch, type ArrivalPosition } from './arrival-cursor.js';
import { EventNumbersRepository, type NumberedState } from './event-numbers.repository.js';

const nobody = '00000000-0000-0000-0000-000000000000';

/**
 * Gives each transaction that appended events of an organization a number, once someone asks for what arrived. Writers do
 * not wait for one, and so not for each other: docs/decisions/2026-11-23-event-arrivals.md.
 */
@Injectable()
export class EventNumbersService implements OnModuleInit {
  constructor(
    private readonly repository: EventNumbersRepository,
    private readonly jobs: JobRunner,
  ) {}

  onModuleInit(): void {
    this.jobs.registerRecurring({
      name: 'event-numbers',
      everySeconds: 300,
      deadlineSeconds: 240,
      handler: ({ signal }) => this.numberAll(signal),
    });
  }

  /** Numbers everything appended for these organizations until now. Later statements see the numbers. */
  async number(organizationIds: readonly string[], signal?: AbortSignal): Promise<void> {
    while (await this.repository.number(organizationIds)) signal?.throwIfAborted();
  }

  /** Numbers the batches that nobody asked for, each organization's once: others go on appending. */
  async numberAll(signal?: AbortSignal): Promise<void> {
    for (let after: string | undefined = nobody; after !== undefined;) {
      const ids: string[] = await this.repository.behindAfter(after);
      for (const id of ids) {
        signal?.throwIfAborted();
        await this.number([id], signal);
      }
      after = ids.at(-1);
    }
  }

  /** The position after all arrivals until now. */
  async now(organizationId: string): Promise<ArrivalPosition> {
    const { epoch, last } = await this.numbered(organizationId);
    return afterBatch(epoch, last);
  }

  /** Forgets the batches whose events are all from before a time. */
  async forgetBefore(time: Date, signal?: AbortSignal): Promise<void> {
    for (let after = nobody; ;) {
      const ids = await this.repository.numberedAfter(after);
      for (const id of ids) while (await this.repository.removeBefore(id, time)) signal?.throwIfAborted();
      const last = ids.at(-1);
      if (last === undefined) return;
      signal?.throwIfAborted();
      after = last;
    }
  }

  private async numbered(organizationId: string): Promise<NumberedState> {
    const state = await this.repository.state(organizationId);
    if (state && !state.isBehind) return state;
    await this.number([organizationId]);
    const later = await this.repository.state(organizationId);
    if (!later) throw new Error('An organization with numbered events has no event numbers');
    return later;
  }
}
