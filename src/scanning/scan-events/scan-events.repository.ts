import { Injectable } from '@nestjs/common';
import type { TimeSteps } from '../../common/http/time-steps.js';
import type { Bounded } from '../../database/bounded-rows.js';
import { Database, statement } from '../../database/database.js';
import { readersOf } from '../../database/replicas/reader-keys.js';
import { ReplicaReads } from '../../database/replicas/replica-reads.js';
import { Searches } from '../../database/searches.js';
import type { EventLevel } from '../vocabulary.js';
import type { ArrivalPosition } from './arrival-cursor.js';
import type { NumberedState } from './event-numbers.repository.js';
import { areAny, areServedByOneIndex, type EventFilters } from './event-filters.js';
import { arrivalsStatement } from './event-arrivals.statements.js';
import { histogramStatement, nearPageStatement, pageStatement, totalStatement } from './scan-events.statements.js';
import type { ScanEvent, ScanEventSummary } from './scan-events.shapes.js';

/** An event of a list. */
export type EventListRow = ScanEventSummary & Bounded;

/** An event with the number of the batch that it arrived in. */
export interface ArrivedEvent extends EventListRow {
  number: number;
}

/** The number of events of a level in a step of time. */
export interface EventCount {
  step: number;
  level: EventLevel;
  count: number;
}

/** How far an organization was numbered, and what was found at the same moment. */
export interface EventArrivalRows {
  state: NumberedState | null;
  rows: ArrivedEvent[];
}

/** The time comes from the id, so that only one partition is read. */
const byId = statement(
  'scan-events.by-id',
  `SELECT id, created_at AS "createdAt", level, stage, title, description, scan_id AS "scanId",
          cardinality(issue_ids) AS "issuesCount", attachments
     FROM scan_events WHERE organization_id = $1 AND created_at = $2 AND id = $3`,
);

@Injectable()
export class ScanEventsRepository {
  constructor(
    private readonly database: Database,
    private readonly searches: Searches,
    private readonly replicas: ReplicaReads,
  ) {}

  page(organizationId: string, after: unknown[], limit: number, filters: EventFilters): Promise<EventListRow[]> {
    const page = pageStatement(organizationId, after, limit, filters);
    if (!areServedByOneIndex(filters)) {
      const near = nearPageStatement(organizationId, after, limit, filters);
      const isFull = ([first]: EventListRow[]) => (first?.total ?? 0) >= limit;
      return this.searches.rowsOfFirst<EventListRow>(organizationId, near ? [near, page] : [page], isFull);
    }
    const { sql, values } = page;
    const atPrimary = () => this.database.rows<EventListRow>(sql, values);
    return this.replicas.rows<EventListRow>({ key: readersOf(organizationId), kind: 'list', sql, values, atPrimary });
  }

  /** How many events there are before a position, counted no further than a list is. */
  async total(organizationId: string, before: unknown[], filters: EventFilters): Promise<number> {
    const { sql, values } = totalStatement(organizationId, before, filters);
    const [row] = await this.searches.rowsOfReplica<{ totalCount: number }>(organizationId, sql, values);
    return row?.totalCount ?? 0;
  }

  histogram(organizationId: string, steps: TimeSteps, filters: EventFilters): Promise<EventCount[]> {
    const { sql, values } = histogramStatement(organizationId, steps, filters);
    return this.searches.rowsOfReplica<EventCount & Record<string, unknown>>(organizationId, sql, values);
  }

  byId(organizationId: string, createdAt: Date, id: string): Promise<ScanEvent | null> {
    return this.database.row<ScanEvent>(byId, [organizationId, createdAt, id]);
  }

  /** What arrived after a position, as far as it has numbers; `state` is null where nothing ever had one. */
  async arrivals(
    organizationId: string,
    position: ArrivalPosition,
    limit: number,
    filters: EventFilters,
  ): Promise<EventArrivalRows> {
    const { sql, values } = arrivalsStatement(organizationId, position, limit, filters);
    type Row = NumberedState & (ArrivedEvent | { id: null });
    // A filter may read a large number of events.
    const rows = areAny(filters)
      ? await this.searches.rows<Row>(organizationId, sql, values)
      : await this.database.rows<Row>(sql, values);
    return { state: rows[0] ?? null, rows: rows.filter((row) => row.id !== null) };
  }
}
