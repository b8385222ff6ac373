import { Injectable } from '@nestjs/common';
import { isNotSupported } from '../../platform/errors/database-errors.js';
import { Database } from '../../database/database.js';
import type { ArrivalPosition } from './arrival-cursor.js';
import { EventServersRepository } from './event-servers.repository.js';
import type { EventFilters } from './event-filters.js';
import type { NumberedState } from './event-numbers.repository.js';
import { arrivalsOfMany, arrivalsOfOne } from './event-stream.statements.js';
import type { ScanEventSummary } from './scan-events.dto.js';

/** The position up to which an organization has been followed; null for a new follower's. */
export interface FollowedOrganization {
  id: string;
  position: ArrivalPosition | null;
}

/** Filters of an organization's followers, with the number that rows name them by. */
export interface FollowedFilters {
  filter: number;
  organizationId: string;
  filters: EventFilters;
}

type AskedFilters = Omit<FollowedFilters, 'filters'> & EventFilters;

/** An event that arrived, with the numbers of the filters that it matches. */
export interface ArrivedRow extends ScanEventSummary {
  number: number;
  matches: number[];
  /** The number of matching events of the organization: more than rows where they are many or large. */
  total: number;
}

/** The findings of a look for an organization. */
export interface FoundArrivals {
  id: string;
  /** Null if it never had numbers. */
  state: NumberedState | null;
  rows: ArrivedRow[];
}

type ArrivalRow = { of: string; last: number | null } & NumberedState & (ArrivedRow | { id: null });

@Injectable()
export class EventStreamRepository {
  constructor(
    private readonly database: Database,
    private readonly servers: EventServersRepository,
  ) {}

  /** The arrivals in organizations after their positions that match filters. */
  async arrived(organizations: FollowedOrganization[], filters: FollowedFilters[]): Promise<FoundArrivals[]> {
    const asked = filters.map(({ filter, organizationId, filters: given }) => ({ filter, organizationId, ...given }));
    const rows = await this.rowsOf(organizations, asked);
    const found = new Map<string, FoundArrivals>();
    for (const row of rows) {
      const own = found.get(row.of) ?? { id: row.of, state: row.last === null ? null : row, rows: [] };
      if (row.id !== null) own.rows.push(row);
      found.set(row.of, own);
    }
    return [...found.values()];
  }

  private async rowsOf(organizations: FollowedOrganization[], filters: AskedFilters[]): Promise<ArrivalRow[]> {
    // Where events are spread over servers, each organization has its own.
    if (!this.servers.areSeveral) {
      try {
        return await this.together(organizations, filters);
      } catch (error) {
        // A single PostgreSQL refuses some statements too: those whose plans a migration made useless, say.
        if (!isNotSupported(error) || !(await this.servers.look())) throw error;
      }
    }
    return this.oneByOne(organizations, filters);
  }

  private together(organizations: FollowedOrganization[], filters: AskedFilters[]): Promise<ArrivalRow[]> {
    const positions = organizations.map(({ id, position }) => ({
      id,
      number: position?.number,
      lastId: position?.id,
    }));
    return this.database.rows<ArrivalRow>(arrivalsOfMany, [JSON.stringify(filters), JSON.stringify(positions)]);
  }

  /** Two at once, so that they leave connections to others. */
  private async oneByOne(organizations: FollowedOrganization[], filters: AskedFilters[]): Promise<ArrivalRow[]> {
    const rows: ArrivalRow[] = [];
    const left = organizations.values();
    const askOn = async (): Promise<void> => {
      for (const one of left) rows.push(...(await this.ofOne(one, filters)));
    };
    await Promise.all([askOn(), askOn()]);
    return rows;
  }

  private ofOne({ id, position }: FollowedOrganization, filters: AskedFilters[]): Promise<ArrivalRow[]> {
    const own = JSON.stringify(filters.filter(({ organizationId }) => organizationId === id));
    return this.database.rows<ArrivalRow>(arrivalsOfOne, [own, id, position?.number, position?.id]);
  }
}
