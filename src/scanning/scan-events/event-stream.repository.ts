import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { ArrivalPosition } from './arrival-cursor.js';
import type { EventFilters } from './event-filters.js';
import { arrivalsOfMany } from './event-stream.statements.js';
import type { ScanEventSummary } from './scan-events.shapes.js';

/** How far an organization was followed. */
export interface FollowedOrganization {
  id: string;
  position: ArrivalPosition;
}

/** Filters that followers of an organization ask for, with a number by which rows name them. */
export interface FollowedFilters {
  number: number;
  organizationId: string;
  filters: EventFilters;
}

/** An event that arrived, with the numbers of the filters that it matches. */
export interface ArrivedRow extends ScanEventSummary {
  organizationId: string;
  arrived: string;
  matches: number[];
  /** How many events of the organization were found, more than rows where they are many or large. */
  total: number;
}

@Injectable()
export class EventStreamRepository {
  constructor(private readonly database: Database) {}

  /** What arrived in organizations after their positions and matches filters, and the snapshot of the statement. */
  async arrived(
    organizations: FollowedOrganization[],
    filters: FollowedFilters[],
  ): Promise<{ now: string; rows: ArrivedRow[] }> {
    const positions = organizations.map(({ id, position: { id: lastId, ...position } }) => ({
      id,
      ...position,
      lastId,
    }));
    const asked = filters.map(({ number, organizationId, filters: given }) => ({ number, organizationId, ...given }));
    const values = [JSON.stringify(positions), JSON.stringify(asked)];
    type Row = { now: string } & (ArrivedRow | { id: null });
    const rows = await this.database.rows<Row>(arrivalsOfMany, values);
    return { now: rows[0]?.now ?? '', rows: rows.filter((row) => row.id !== null) };
  }
}
