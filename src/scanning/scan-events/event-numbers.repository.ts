import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import { Database, statement } from '../../database/database.js';
import { afterBatch, type ArrivalPosition, isAfter } from './arrival-cursor.js';
import { EventBatchEntity } from './event-batch.entity.js';
import { EventPositionEntity } from './event-position.entity.js';
import { stateOfOne } from './event-arrivals.statements.js';

/** The state of an organization's numbers, as one statement saw it. */
export interface NumberedState {
  last: number;
  epoch: string;
  /** Whether the position is after everything there is. */
  isAhead: boolean;
  /** Whether some batches have no number yet. */
  isBehind: boolean;
  /** The last batch of this look, where more have numbers. */
  lookedTo: number | null;
}

/** The position after all batches of one look. */
export function positionAfter(position: ArrivalPosition, { epoch, last, lookedTo }: NumberedState): ArrivalPosition {
  // The last number may be less where it was lost with a primary: later ones are larger.
  const next = afterBatch(epoch, lookedTo ?? last);
  return isAfter(position, next) ? position : next;
}

const mostNumbered = 10_000;
const mostRemoved = 10_000;

/** One statement, each part of which sees the commits before it: see the function. */
const number = statement('event-numbers.number', 'SELECT number_event_batches($1::uuid[], $2) AS count');

const behind = statement(
  'event-numbers.behind',
  `SELECT DISTINCT organization_id AS id FROM event_batches -- of all organizations
    WHERE number IS NULL AND organization_id > $1 ORDER BY organization_id LIMIT 1000`,
);

const numbered = statement(
  'event-numbers.organizations',
  `SELECT organization_id AS id FROM event_positions -- of all organizations
    WHERE organization_id > $1 ORDER BY organization_id LIMIT 1000`,
);

/** By number, which is a time, so that an index leads there. */
const removeBefore = statement(
  'event-numbers.remove-before',
  `DELETE FROM event_batches WHERE organization_id = $1 AND number IN (
     SELECT number FROM event_batches
      WHERE organization_id = $1 AND number < extract(epoch FROM $2::timestamptz) * 1000000
      ORDER BY number LIMIT ${mostRemoved})`,
);

/** The numbers that followers of events go by, one for each transaction that appended some. */
@Injectable()
export class EventNumbersRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(EventBatchEntity) private readonly batches: Repository<EventBatchEntity>,
    @InjectRepository(EventPositionEntity) private readonly positions: Repository<EventPositionEntity>,
  ) {}

  /** Numbers batches of organizations; returns whether some may be left. Call it outside units of work. */
  async number(organizationIds: readonly string[]): Promise<boolean> {
    const { count } = await this.database.one<{ count: number }>(number, [organizationIds, mostNumbered]);
    return count === mostNumbered;
  }

  /** The state of an organization's numbers; null if it never had any. */
  async state(organizationId: string): Promise<NumberedState | null> {
    const [row] = await this.database.shortRead<NumberedState & Record<string, unknown>>(stateOfOne, [organizationId]);
    return row ?? null;
  }

  /** The next organizations after one that have batches without a number. */
  async behindAfter(organizationId: string): Promise<string[]> {
    return (await this.database.rows<{ id: string }>(behind, [organizationId])).map(({ id }) => id);
  }

  /** The next organizations after one that have numbers. */
  async numberedAfter(organizationId: string): Promise<string[]> {
    return (await this.database.rows<{ id: string }>(numbered, [organizationId])).map(({ id }) => id);
  }

  /** Removes the batches of an organization before a time; returns whether some may be left. */
  async removeBefore(organizationId: string, time: Date): Promise<boolean> {
    return (await this.database.execute(removeBefore, [organizationId, time])) === mostRemoved;
  }

  /** Removes the batches and numbers of organizations that are about to be deleted. */
  async removeOf(organizationIds: readonly string[]): Promise<void> {
    const theirs = { organizationId: In(organizationIds) };
    await this.batches.delete(theirs);
    await this.positions.delete(theirs);
  }
}
