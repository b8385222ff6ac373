import { searchPattern } from '../search-text.js';
import { eventLevels, eventStages } from '../vocabulary.js';
import type { EventFilters } from './event-filters.js';
import type { EventConditions } from './scan-events.dto.js';

/** The distinct values of a filter; undefined for no value or all values, which filter nothing. */
function values<T extends string>(list: readonly T[] | undefined, all?: readonly T[]): readonly T[] | undefined {
  const distinct = [...new Set(list)];
  return distinct.length === 0 || distinct.length === all?.length ? undefined : distinct;
}

function ids(list: readonly string[] | undefined): readonly string[] | undefined {
  return values(list?.map((id) => id.toLowerCase()));
}

/** The filters that a request asks for; `Invalid` for a `search` that is too short. */
export function filtersOf(asked: EventConditions): EventFilters {
  return {
    search: searchPattern(asked.search),
    profileIds: ids(asked.profileIds),
    scanIds: ids(asked.scanIds),
    assetIds: ids(asked.assetIds),
    issueIds: ids(asked.issueIds),
    stages: values(asked.stages, eventStages),
    levels: values(asked.levels, eventLevels),
    hasAttachments: asked.hasAttachments,
    attachments: values(asked.attachments),
  };
}
