import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { ArrivalPosition } from './arrival-cursor.js';
import type { EventFilters } from './event-filters.js';
import type { NumberedState } from './event-numbers.repository.js';
import { arrivalsOfMany } from './event-stream.statements.js';
import type { ScanEventSummary } from './scan-events.shapes.js';

/** How far an organization was followed; null for one that is followed from now on. */
export interface FollowedOrganization {
  id: string;
  position: ArrivalPosition | null;
}

/** Filters that followers of an organization ask for, with a number by which rows name them. */
export interface FollowedFilters {
  filter: number;
  organizationId: string;
  filters: EventFilters;
}

/** An event that arrived, with the numbers of the filters that it matches. */
export interface ArrivedRow extends ScanEventSummary {
  number: number;
  matches: number[];
  /** How many events of the organization were found, more than rows where they are many or large. */
  total: number;
}

/** What a look found for an organization. */
export interface FoundArrivals {
  id: string;
  /** Null where nothing was ever numbered. */
  state: NumberedState | null;
  rows: ArrivedRow[];
}

@Injectable()
export class EventStreamRepository {
  constructor(private readonly database: Database) {}

  /** What arrived in organizations after their positions and matches filters, all seen at one moment. */
  async arrived(organizations: FollowedOrganization[], filters: FollowedFilters[]): Promise<FoundArrivals[]> {
    const positions = organizations.map(({ id, position }) => ({
      id,
      number: position?.number,
      lastId: position?.id,
    }));
    const asked = filters.map(({ filter, organizationId, filters: given }) => ({ filter, organizationId, ...given }));
    type Row = { of: string; last: number | null } & NumberedState & (ArrivedRow | { id: null });
    const rows = await this.database.rows<Row>(arrivalsOfMany, [JSON.stringify(positions), JSON.stringify(asked)]);
    const found = new Map<string, FoundArrivals>();
    for (const row of rows) {
      const own = found.get(row.of) ?? { id: row.of, state: row.last === null ? null : row, rows: [] };
      if (row.id !== null) own.rows.push(row);
      found.set(row.of, own);
    }
    return [...found.values()];
  }
}
