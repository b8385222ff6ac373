import { leastUuidAt } from '../../platform/crypto/uuid-v7.js';
import { FilterConditions, type Parameters } from '../../database/filtered-statement.js';
import { eventLevels, eventStages } from '../vocabulary.js';
import type { EventFilters } from './event-filters.js';

/**
 * SQL that holds where the event `row` is of one of the assets `ids`, in the terms of the indexes: one has the first
 * asset of each event, the other the events that have several.
 */
export const isOfAssets = (row: string, ids: string): string =>
  `(${row}.asset_ids[1] = ANY(${ids}::uuid[]) OR cardinality(${row}.asset_ids) > 1 AND ${row}.asset_ids && ${ids}::uuid[])`;

/** Filters on attachments repeat the predicates of partial indexes; for a single type they need to be written out. */
const conditions = {
  search: (pattern: string) => `(e.title || chr(10) || e.description || chr(10) || e.attachment_text) ILIKE ${pattern}`,
  profileIds: (ids: string) => `e.profile_id = ANY(${ids}::uuid[])`,
  scanIds: (ids: string) => `e.scan_id = ANY(${ids}::uuid[])`,
  assetIds: (ids: string) => isOfAssets('e', ids),
  issueIds: (ids: string) => `e.issue_ids && ${ids}::uuid[]`,
  stages: (stages: string) => `e.stage = ANY(${stages}::text[])`,
  levels: (levels: string) => `e.level = ANY(${levels}::text[])`,
  attachments: (types: string) => `e.attachment_types <> '{}' AND e.attachment_types && ${types}::text[]`,
  EXCHANGE: `e.attachment_types @> '{EXCHANGE}'`,
  SNIPPET: `e.attachment_types @> '{SNIPPET}'`,
  SCREENSHOT: `e.attachment_types @> '{SCREENSHOT}'`,
  attached: `e.attachment_types <> '{}'`,
  unattached: `e.attachment_types = '{}'`,
  since: (time: string) => `e.created_at >= ${time}`,
  sinceId: (id: string) => `e.id >= ${id}::uuid`,
};
type Condition = keyof typeof conditions;

const eventConditions = new FilterConditions<Condition>(conditions);

function givenBy({ hasAttachments, attachments, ...filters }: EventFilters): Partial<Record<Condition, unknown>> {
  const [first, ...more] = attachments ?? [];
  return {
    ...filters,
    ...(first !== undefined && more.length === 0 ? { [first]: true } : { attachments }),
    attached: hasAttachments === true ? true : undefined,
    unattached: hasAttachments === false ? true : undefined,
    // An id begins with its time: for the index that only has ids.
    sinceId: filters.since && leastUuidAt(filters.since),
  };
}

/** SQL of the given filters except those handled elsewhere, each after an AND. */
export function conditionsOf(
  filters: EventFilters,
  parameters: Parameters,
  elsewhere: readonly Condition[] = [],
): string {
  return eventConditions.sql(givenBy(filters), parameters, elsewhere);
}

/** The columns of filters in rows `f`; null stands for no filter. */
export const followedFilters = `search text, "profileIds" uuid[], "scanIds" uuid[], "assetIds" uuid[], "issueIds" uuid[],
  stages text[], levels text[], "hasAttachments" boolean, attachments text[]`;

const followed = [
  'search',
  'profileIds',
  'scanIds',
  'assetIds',
  'issueIds',
  'stages',
  'levels',
  'attachments',
] as const;

/** SQL that holds where the event `e` matches the filters in the row `f`, by the conditions of lists. */
export const followedMatches = [
  ...followed.map((name) => `(f."${name}" IS NULL OR ${conditions[name](`f."${name}"`)})`),
  `(f."hasAttachments" IS NULL OR (CASE WHEN f."hasAttachments" THEN ${conditions.attached} ELSE ${conditions.unattached} END))`,
].join(' AND ');

/** A few characters that identify the given filters, for the name of their statement. */
export function filterKeyOf(filters: EventFilters): string {
  return eventConditions.mark(givenBy(filters));
}

/**
 * Values that each scan an index once, newest first and no further than the page. One condition on all values would
 * sort all their matches, or scan everything else. With a lead, no other index has the order of the page, so that the
 * planner cannot prefer a scan of everything.
 */
export interface Lead {
  filters: readonly Condition[];
  /** SQL of the values as a row source named `lead`, limited to the organization $1. */
  source: string;
  /** The condition for the events of a value after the position $2, $3. */
  where: string;
  order: string;
}

/**
 * SQL of an array parameter whose length the planner does not see: it then rates the generic plan like a custom one,
 * and keeps the generic one, as planning with every month's partition takes longer than the page.
 */
export const unseen = (parameter: string, type: 'uuid' | 'text'): string =>
  `ARRAY(SELECT unnest(${parameter}::${type}[]))`;

function leadThrough(column: 'scan_id' | 'profile_id', ids: string): Pick<Lead, 'source' | 'where' | 'order'> {
  return {
    source: `(SELECT DISTINCT id FROM unnest(${unseen(ids, 'uuid')}) AS id) AS lead`,
    where: `e.organization_id = $1 AND e.${column} = lead.id AND e.created_at <= $2 AND (e.created_at, e.id) < ($2, $3)`,
    order: 'e.created_at DESC, e.id DESC',
  };
}

/** Ordered only by id, which begins with its time. */
function leadThroughKinds(levels: string, stages: string): Pick<Lead, 'source' | 'where' | 'order'> {
  const kinds = `unnest(${unseen(levels, 'text')}) AS l(level) CROSS JOIN unnest(${unseen(stages, 'text')}) AS s(stage)`;
  return {
    source: `(SELECT * FROM ${kinds}) AS lead`,
    where: `e.organization_id = $1 AND e.level = lead.level AND e.stage = lead.stage AND e.created_at <= (SELECT $2::timestamptz) AND e.id < (SELECT $3::uuid)`,
    order: 'e.id DESC',
  };
}

/** The lead for these filters, or null if the organization's own order serves them. */
export function leadOf(filters: EventFilters, parameters: Parameters): Lead | null {
  const { scanIds, profileIds, levels, stages } = filters;
  if (scanIds) return { filters: ['scanIds'], ...leadThrough('scan_id', parameters.add(scanIds)) };
  if (profileIds) return { filters: ['profileIds'], ...leadThrough('profile_id', parameters.add(profileIds)) };
  if (!levels && !stages) return null;
  const kinds = leadThroughKinds(parameters.add(levels ?? eventLevels), parameters.add(stages ?? eventStages));
  return { filters: ['levels', 'stages'], ...kinds };
}
