import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AccountRemovals } from '../../platform/removal-steps.js';
import { EventFeed } from './event-feed.js';
import { afterOf, cursorAt } from './event-cursor.js';
import { type NewStoreEvent, StoreEventsRepository } from './store-events.repository.js';
import { toStoreEvent } from './store-event-body.js';
import type { StoreEventType } from './store-event-types.js';
import type { StoreEvent, StoreEventPage, StoreEventPaging } from './store-events.dto.js';

/** Writes store events, and shows them. */
@Injectable()
export class StoreEventsService implements OnModuleInit {
  constructor(
    private readonly repository: StoreEventsRepository,
    private readonly feed: EventFeed,
    private readonly removals: AccountRemovals,
  ) {}

  onModuleInit(): void {
    this.removals.add(async ({ userId }) => {
      await this.repository.forget(userId);
      await this.record({ type: 'customer.deleted', data: { customer: { id: userId.toLowerCase() } } });
    });
  }

  /** Writes events; call it in the unit of work of what they tell. */
  async record(...events: NewStoreEvent[]): Promise<void> {
    if (events.length > 0) await this.repository.write(events);
  }

  /** The newest event of each of these types, as far as it is among the last thousand events. */
  async newestOf(types: readonly StoreEventType[], reader: { seesCustomers: boolean }): Promise<StoreEvent[]> {
    return (await this.repository.newestOf(types)).map((event) => toStoreEvent(event, reader));
  }

  /**
   * The events after a position, oldest first, with the position after them. Each event of a change that was committed is
   * there. `Invalid` for a position that is none, is too old, or is ahead of all events.
   */
  async list({ after, limit }: StoreEventPaging, reader: { seesCustomers: boolean }): Promise<StoreEventPage> {
    const last = await this.feed.upToDate();
    const from = afterOf(after, last);
    const rows = await this.repository.after(from, limit + 1);
    const data = rows.slice(0, limit).map((row) => toStoreEvent(row, reader));
    const end = rows[Math.min(rows.length, limit) - 1];
    return { data, next: cursorAt(end ? end.seq : from), more: rows.length > limit };
  }
}
