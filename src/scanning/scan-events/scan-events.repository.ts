import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database.js';
import type { ArrivalPosition } from './arrival-cursor.js';
import type { EventFilters } from './event-filters.js';
import { arrivalsStatement, pageStatement } from './event-statements.js';
import type { ScanEvent, ScanEventSummary } from './scan-events.shapes.js';

/** An event of a list; `total` is how many were found, also where they are too large to be answered at once. */
export interface EventListRow extends ScanEventSummary {
  total: number;
  arrived: string;
}

interface Snapshot {
  now: string;
  fromElsewhere: boolean | null;
}

export interface EventArrivalRows extends Snapshot {
  rows: EventListRow[];
}

/** The id tells the month: only its partition is read. */
const byId = statement(
  'scan-events.by-id',
  `SELECT id, created_at AS "createdAt", level, stage, title, description, scan_id AS "scanId",
          cardinality(issue_ids) AS "issuesCount", attachments
     FROM scan_events WHERE organization_id = $1 AND created_at = $2 AND id = $3`,
);

@Injectable()
export class ScanEventsRepository {
  constructor(private readonly database: Database) {}

  page(organizationId: string, after: unknown[], limit: number, filters: EventFilters): Promise<EventListRow[]> {
    const { sql, values } = pageStatement(organizationId, after, limit, filters);
    return this.database.rows<EventListRow>(sql, values);
  }

  byId(organizationId: string, createdAt: Date, id: string): Promise<ScanEvent | null> {
    return this.database.row<ScanEvent>(byId, [organizationId, createdAt, id]);
  }

  /** What arrived since a position, and the snapshot in which it was looked for. */
  async arrivals(
    organizationId: string,
    position: ArrivalPosition,
    limit: number,
    filters: EventFilters,
  ): Promise<EventArrivalRows> {
    const { sql, values } = arrivalsStatement(organizationId, position, limit, filters);
    const rows = await this.database.rows<Snapshot & (EventListRow | { id: null })>(sql, values);
    const { now = '', fromElsewhere = false } = rows[0] ?? {};
    return { now, fromElsewhere, rows: rows.filter((row) => row.id !== null) };
  }

  /** The present snapshot of the database. */
  async snapshot(): Promise<string> {
    const { now } = await this.database.one<{ now: string }>('SELECT pg_current_snapshot()::text AS now');
    return now;
  }
}
