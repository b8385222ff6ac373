import { filtersOf } from './asked-filters.js';
import type { EventFilters } from './event-filters.js';
import type { FollowedConditions } from './scan-events.dto.js';

/** The subject of a stream: events that match filters, changes of scans, or both; null for the other. */
export interface Followed {
  filters: EventFilters | null;
  scans: ScanScope | null;
}

/** The followed scans: those in both lists; an omitted list stands for all. */
export interface ScanScope {
  scanIds?: readonly string[] | undefined;
  profileIds?: readonly string[] | undefined;
}

/** The subject of a request's stream; `Invalid` for a `search` that is too short. */
export function followedBy({ follow = [], ...asked }: FollowedConditions): Followed {
  const filters = filtersOf(asked);
  const { scanIds, profileIds } = filters;
  return {
    filters: follow.length === 0 || follow.includes('EVENTS') ? filters : null,
    scans: follow.includes('SCANS') ? { scanIds, profileIds } : null,
  };
}

export function isInScope({ scanIds, profileIds }: ScanScope, scan: { id: string; applicationId: string }): boolean {
  return (scanIds?.includes(scan.id) ?? true) && (profileIds?.includes(scan.applicationId) ?? true);
}
