import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Database, statement } from '../../database/database.js';
import { StoreEventEntity } from './store-event.entity.js';
import { eventDays, type StoreEventType } from './store-event-types.js';
import { writeEventsSql } from './store-events.statements.js';

/** An event that is about to be written. */
export interface NewStoreEvent {
  type: StoreEventType;
  data: Record<string, unknown>;
  /** The account that `customer` is about. */
  userId?: string;
  customer?: object | null;
}

/** An event with a number. */
export type NumberedEvent = StoreEventEntity & { seq: number };

/** Where the numbers stand. */
export interface EventNumbers {
  /** The last number that was given. */
  last: number;
  /** Whether some events have none yet. */
  isBehind: boolean;
}

const write = statement(
  'store-events.write',
  `WITH ${writeEventsSql(`SELECT type, user_id, data, customer
       FROM jsonb_to_recordset($1::jsonb) AS given(type text, user_id uuid, data jsonb, customer jsonb)`)}
   SELECT`,
);

/** Held to the end of a transaction that gives numbers. Any number that belongs only to this purpose. */
const lockNumbers = statement('store-events.lock-numbers', 'SELECT pg_advisory_xact_lock(528411302)');

/** The most events that one transaction numbers and passes on. */
const mostAtOnce = 500;

const columns = 'id, seq, type, user_id AS "userId", data, customer, created_at AS "createdAt"';

const number = statement(
  'store-events.number',
  `WITH fresh AS MATERIALIZED (
     SELECT id, nextval('store_events_seq') AS seq
       FROM (SELECT id FROM store_events WHERE seq IS NULL ORDER BY written LIMIT ${mostAtOnce}) AS waiting),
   numbered AS (
     UPDATE store_events e SET seq = fresh.seq FROM fresh WHERE e.id = fresh.id
     RETURNING e.*)
   SELECT ${columns} FROM numbered ORDER BY seq`,
);

const numbers = statement(
  'store-events.numbers',
  `SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS last,
          EXISTS (SELECT FROM store_events WHERE seq IS NULL) AS "isBehind"
     FROM store_events_seq`,
);

export const eventsAfter = statement(
  'store-events.after',
  `SELECT ${columns} FROM store_events WHERE seq > $1 ORDER BY seq LIMIT $2`,
);

const newestOf = statement(
  'store-events.newest-of',
  `SELECT DISTINCT ON (type) ${columns}
     FROM (SELECT * FROM store_events ORDER BY created_at DESC LIMIT 1000) AS recent
    WHERE type = ANY ($1::text[])
    ORDER BY type, created_at DESC`,
);

/** Removes some at once, with their deliveries, so that no lock is held for long. */
const removeOld = `
  DELETE FROM store_events
   WHERE id IN (SELECT id FROM store_events WHERE created_at < now() - interval '${eventDays} days' LIMIT ${mostAtOnce})`;

@Injectable()
export class StoreEventsRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(StoreEventEntity) private readonly events: Repository<StoreEventEntity>,
  ) {}

  /** Writes events, in the current unit of work, and queues the job that passes them on. */
  async write(events: readonly NewStoreEvent[]): Promise<void> {
    const rows = events.map(({ type, data, userId, customer }) => ({ type, user_id: userId, data, customer }));
    await this.database.execute(write, [JSON.stringify(rows)]);
  }

  /**
   * Gives numbers to some new events and returns these, in their order. Units of work do so one after the other, so a number
   * becomes visible only after all smaller ones.
   */
  async number(): Promise<NumberedEvent[]> {
    // Two statements: numbers in that of the lock would use a snapshot from before the wait.
    await this.database.execute(lockNumbers);
    return this.database.rows<NumberedEvent & Record<string, unknown>>(number);
  }

  numbers(): Promise<EventNumbers> {
    return this.database.one<EventNumbers & Record<string, unknown>>(numbers);
  }

  /** The events after a number, in their order. */
  after(seq: number, limit: number): Promise<NumberedEvent[]> {
    return this.database.rows<NumberedEvent & Record<string, unknown>>(eventsAfter, [seq, limit]);
  }

  /** The newest event of each of these types, as far as it is among the last thousand events. */
  newestOf(types: readonly StoreEventType[]): Promise<StoreEventEntity[]> {
    return this.database.rows<StoreEventEntity & Record<string, unknown>>(newestOf, [types]);
  }

  /** Removes what is personal of an account. */
  async forget(userId: string): Promise<void> {
    await this.events.update({ userId }, { customer: null });
  }

  /** Removes some that are too old; returns whether there may be more. */
  async removeOld(): Promise<boolean> {
    return (await this.database.execute(removeOld)) === mostAtOnce;
  }
}
