import { Injectable } from '@nestjs/common';
import type { TimeSteps } from '../../common/http/time-steps.js';
import type { Bounded } from '../../database/bounded-rows.js';
import { Database, statement } from '../../database/database.js';
import { readersOf } from '../../database/replicas/reader-keys.js';
import { ReplicaReads } from '../../database/replicas/replica-reads.js';
import { Searches } from '../../database/searches.js';
import type { EventLevel } from '../vocabulary.js';
import type { ArrivalPosition } from './arrival-cursor.js';
import { areAny, areServedByOneIndex, type EventFilters } from './event-filters.js';
import {
  arrivalsStatement,
  histogramStatement,
  nearPageStatement,
  pageStatement,
  totalStatement,
} from './scan-events.statements.js';
import type { ScanEvent, ScanEventSummary } from './scan-events.shapes.js';

/** An event of a list. */
export interface EventListRow extends ScanEventSummary, Bounded {
  arrived: string;
}

/** The number of events of a level in a step of time. */
export interface EventCount {
  step: number;
  level: EventLevel;
  count: number;
}

interface Snapshot {
  now: string;
  fromElsewhere: boolean | null;
}

export interface EventArrivalRows extends Snapshot {
  rows: EventListRow[];
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

  /** What arrived since a position, and the snapshot of the statement. */
  async arrivals(
    organizationId: string,
    position: ArrivalPosition,
    limit: number,
    filters: EventFilters,
  ): Promise<EventArrivalRows> {
    const { sql, values } = arrivalsStatement(organizationId, position, limit, filters);
    type Row = Snapshot & (EventListRow | { id: null });
    // After an old position, a filter may read a large number of events.
    const rows = areAny(filters)
      ? await this.searches.rows<Row>(organizationId, sql, values)
      : await this.database.rows<Row>(sql, values);
    const { now = '', fromElsewhere = false } = rows[0] ?? {};
    return { now, fromElsewhere, rows: rows.filter((row) => row.id !== null) };
  }

  /** The current snapshot of the database. */
  async snapshot(): Promise<string> {
    const { now } = await this.database.one<{ now: string }>('SELECT pg_current_snapshot()::text AS now');
    return now;
  }
}
