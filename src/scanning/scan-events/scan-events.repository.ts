import { Injectable } from '@nestjs/common';
import type { QueryResultRow } from 'pg';
import { startOf } from '../../platform/http/cursor.js';
import type { TimeBuckets } from '../../platform/http/time-buckets.js';
import type { Bounded } from '../../database/bounded-rows.js';
import { Database, statement } from '../../database/database.js';
import { Searches } from '../../database/searches.js';
import type { EventLevel } from '../vocabulary.js';
import type { ArrivalPosition } from './arrival-cursor.js';
import type { NumberedState } from './event-numbers.repository.js';
import { EventServersRepository } from './event-servers.repository.js';
import { areAny, areServedByOneIndex, type EventFilters } from './event-filters.js';
import { arrivalsStatement, stateFrom } from './event-arrivals.statements.js';
import { type RoutedRow, routedPageStatement } from './routed-page.statements.js';
import { histogramStatement, nearPageStatement, pageStatement, totalStatement } from './scan-events.statements.js';
import type { ScanEvent, ScanEventSummary } from './scan-events.dto.js';

/** An event of a list, with the number of rows that were found for it. */
export type EventListRow = ScanEventSummary & Pick<Bounded, 'total'>;

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

/** The state of an organization's numbers, and the arrivals found at the same moment. */
export interface EventArrivalRows {
  state: NumberedState | null;
  rows: ArrivedEvent[];
}

/** So many days lie in one month's partition, or in two. */
const lateMs = 8 * 86_400_000;

/** The beginning of the days before a position; null if the list begins later anyway. */
function lately([position]: unknown[], from: Date | undefined): Date | null {
  const end = position instanceof Date ? Math.min(position.getTime(), Date.now()) : Date.now();
  const since = new Date(end - lateMs);
  return from && from >= since ? null : since;
}

function isFull([first]: EventListRow[], limit: number): boolean {
  return (first?.total ?? 0) >= limit;
}

/** The rows of `routedPageStatement` that fit the page. */
function fitting(rows: RoutedRow[]): EventListRow[] {
  const kept = rows.filter((row): row is RoutedRow & ScanEventSummary => row.attachments !== null);
  return kept.map((row) => Object.assign(row, { total: rows.length }));
}

/** The time comes from the id, so that only one partition is read. */
const byId = statement(
  'scan-events.by-id',
  `SELECT id, created_at AS "createdAt", level, stage, title, description, scan_id AS "scanId",
          cardinality(issue_ids) AS "issuesCount", attachments, asset_ids AS "assetIds", issue_ids AS "issueIds"
     FROM scan_events WHERE organization_id = $1 AND created_at = $2 AND id = $3`,
);

@Injectable()
export class ScanEventsRepository {
  constructor(
    private readonly database: Database,
    private readonly searches: Searches,
    private readonly servers: EventServersRepository,
  ) {}

  async page(organizationId: string, after: unknown[], limit: number, filters: EventFilters): Promise<EventListRow[]> {
    const page = pageStatement(organizationId, after, limit, filters);
    if (!areServedByOneIndex(filters)) {
      const near = nearPageStatement(organizationId, after, limit, filters);
      const first = near ? [near, page] : [page];
      return this.searches.rowsOfFirst<EventListRow>(organizationId, first, (rows) => isFull(rows, limit));
    }
    const routed = this.servers.areSeveral ? await this.routedPage(organizationId, after, limit, filters) : null;
    return routed ?? this.database.rows<EventListRow>(page.sql, page.values);
  }

  /** The newest event that matches the filters, which are to match few: it takes no turn among the searches. */
  async newestOf(organizationId: string, filters: EventFilters): Promise<EventListRow | null> {
    const page = [organizationId, startOf(undefined), 1, filters] as const;
    const near = nearPageStatement(...page);
    const recent = near && (await this.database.row<EventListRow & QueryResultRow>(near.sql, near.values));
    if (recent) return recent;
    const { sql, values } = pageStatement(...page);
    return this.database.row<EventListRow & QueryResultRow>(sql, values);
  }

  /**
   * A page of events that are on several servers, by statements that are planned at the server of the organization
   * alone; null if there is none for these filters. That server plans each one anew, with all months that may have
   * rows, which takes longer than everything else: without filters a few days are asked first.
   */
  private async routedPage(
    organizationId: string,
    after: unknown[],
    limit: number,
    filters: EventFilters,
  ): Promise<EventListRow[] | null> {
    const read = async (asked: EventFilters): Promise<EventListRow[] | null> => {
      const page = routedPageStatement(organizationId, after, limit, asked);
      return page && fitting(await this.database.rows<RoutedRow>(page.sql, page.values));
    };
    const since = areAny({ ...filters, since: undefined }) ? null : lately(after, filters.since);
    const recent = since && (await read({ since }));
    return recent && isFull(recent, limit) ? recent : read(filters);
  }

  /** The number of events before a position, counted up to the bound of lists. */
  async total(organizationId: string, before: unknown[], filters: EventFilters): Promise<number> {
    const { sql, values } = totalStatement(organizationId, before, filters);
    const [row] = await this.searches.rows<{ totalCount: number }>(organizationId, sql, values);
    return row?.totalCount ?? 0;
  }

  histogram(organizationId: string, steps: TimeBuckets, filters: EventFilters): Promise<EventCount[]> {
    const { sql, values } = histogramStatement(organizationId, steps, filters);
    return this.searches.rows<EventCount & Record<string, unknown>>(organizationId, sql, values);
  }

  byId(organizationId: string, createdAt: Date, id: string): Promise<ScanEvent | null> {
    return this.database.row<ScanEvent>(byId, [organizationId, createdAt, id]);
  }

  /**
   * The arrivals after a position, as far as they have numbers; without filters no events. `state` is null if the
   * organization never had any.
   */
  async arrivals(
    organizationId: string,
    position: ArrivalPosition,
    limit: number,
    filters: EventFilters | null,
  ): Promise<EventArrivalRows> {
    if (filters === null) {
      const state = await this.database.row<NumberedState>(stateFrom, [organizationId, position.number]);
      return { state, rows: [] };
    }
    const { sql, values } = arrivalsStatement(organizationId, position, limit, filters);
    type Row = NumberedState & (ArrivedEvent | { id: null });
    // A filter may read a large number of events.
    const rows = areAny(filters)
      ? await this.searches.rows<Row>(organizationId, sql, values)
      : await this.database.rows<Row>(sql, values);
    return { state: rows[0] ?? null, rows: rows.filter((row) => row.id !== null) };
  }
}
