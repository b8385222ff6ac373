import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database.js';
import { afterBatch, type ArrivalPosition, isAfter } from './arrival-cursor.js';
import { numberOfSnapshots, stateOfOne } from './event-arrivals.statements.js';
import type { SnapshotPosition } from './snapshot-cursor.js';

/** How far the batches of an organization are numbered, as one statement saw it. */
export interface NumberedState {
  last: number;
  epoch: string;
  /** Whether the position that was asked for is after everything there is. */
  isAhead: boolean;
  /** Whether batches have no number yet. */
  isBehind: boolean;
  /** The last batch that was looked at, where more have numbers. */
  lookedTo: number | null;
}

/** The position after everything that one look from a position went through. */
export function positionAfter(position: ArrivalPosition, { epoch, last, lookedTo }: NumberedState): ArrivalPosition {
  // The last number may be less where it was lost with a primary: those to come are larger.
  const next = afterBatch(epoch, lookedTo ?? last);
  return isAfter(position, next) ? position : next;
}

const mostNumbered = 10_000;
const mostRemoved = 10_000;

/** One statement, of which each part sees what was committed before it: see the function. */
const number = statement('event-numbers.number', 'SELECT number_event_batches($1::uuid[], $2) AS count');

const behind = statement(
  'event-numbers.behind',
  `SELECT DISTINCT organization_id AS id FROM event_batches -- of all organizations
    WHERE number IS NULL LIMIT 1000`,
);

const numbered = statement(
  'event-numbers.organizations',
  `SELECT organization_id AS id FROM event_positions -- of all organizations
    WHERE organization_id > $1 ORDER BY organization_id LIMIT 1000`,
);

/** By number, which is a time, so that an index leads there; one that was given before there were batches is none. */
const removeBefore = statement(
  'event-numbers.remove-before',
  `DELETE FROM event_batches WHERE organization_id = $1 AND appended_at < $2 AND number IN (
     SELECT number FROM event_batches
      WHERE organization_id = $1 AND number < extract(epoch FROM $2::timestamptz) * 1000000 AND appended_at < $2
      ORDER BY number LIMIT ${mostRemoved})`,
);

/** The numbers by which followers of events go, one for each transaction that appended some. */
@Injectable()
export class EventNumbersRepository {
  constructor(private readonly database: Database) {}

  /** Numbers batches of organizations; returns whether some may be left. To be called outside units of work. */
  async number(organizationIds: readonly string[]): Promise<boolean> {
    const { count } = await this.database.one<{ count: number }>(number, [organizationIds, mostNumbered]);
    return count === mostNumbered;
  }

  /** How far an organization is numbered; null where it never was. */
  async state(organizationId: string): Promise<NumberedState | null> {
    const [row] = await this.database.shortRead<NumberedState & Record<string, unknown>>(stateOfOne, [organizationId]);
    return row ?? null;
  }

  /** The number that a cursor of the last release leads to; null for the last one. */
  async numberOf(
    organizationId: string,
    { seen, until, arrived }: SnapshotPosition,
  ): Promise<{ epoch: string; number: number | null; isTooOld: boolean }> {
    const { now } = await this.database.one<{ now: string }>('SELECT pg_current_snapshot()::text AS now');
    return this.database.one(numberOfSnapshots, [organizationId, seen, until, arrived, now]);
  }

  /** Organizations whose batches have no number yet, some of them where they are many. */
  async behind(): Promise<string[]> {
    return (await this.database.rows<{ id: string }>(behind)).map(({ id }) => id);
  }

  /** The next organizations after one that have numbers. */
  async numberedAfter(organizationId: string): Promise<string[]> {
    return (await this.database.rows<{ id: string }>(numbered, [organizationId])).map(({ id }) => id);
  }

  /** Removes the batches of an organization before a time; returns whether some may be left. */
  async removeBefore(organizationId: string, time: Date): Promise<boolean> {
    return (await this.database.execute(removeBefore, [organizationId, time])) === mostRemoved;
  }

  /** Removes those of organizations that are about to be deleted. */
  async removeOf(organizationIds: readonly string[]): Promise<void> {
    await this.database.execute('DELETE FROM event_batches WHERE organization_id = ANY($1::uuid[])', [organizationIds]);
    await this.database.execute('DELETE FROM event_positions WHERE organization_id = ANY($1::uuid[])', [
      organizationIds,
    ]);
  }
}
