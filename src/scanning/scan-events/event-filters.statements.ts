import { type AttachmentType, eventLevels, eventStages } from '../vocabulary.js';
import type { EventFilters } from './event-filters.js';

type Filter = keyof EventFilters;
type ValueFilter = Exclude<Filter, 'hasAttachments'>;

/** The condition of each filter. The one on attachments repeats the predicate of its partial index. */
const conditions: Record<ValueFilter, (parameter: string) => string> = {
  search: (pattern) => `(e.title || chr(10) || e.description || chr(10) || e.attachment_text) ILIKE ${pattern}`,
  profileIds: (ids) => `e.profile_id = ANY(${ids}::uuid[])`,
  scanIds: (ids) => `e.scan_id = ANY(${ids}::uuid[])`,
  assetIds: (ids) => `e.asset_ids && ${ids}::uuid[]`,
  issueIds: (ids) => `e.issue_ids && ${ids}::uuid[]`,
  stages: (stages) => `e.stage = ANY(${stages}::text[])`,
  levels: (levels) => `e.level = ANY(${levels}::text[])`,
  attachments: (types) => `e.attachment_types <> '{}' AND e.attachment_types && ${types}::text[]`,
};
const valueFilters = Object.keys(conditions) as ValueFilter[];

/** A single type is written out as in its partial index. */
const withAttachment: Record<AttachmentType, string> = {
  EXCHANGE: `e.attachment_types @> '{EXCHANGE}'`,
  SNIPPET: `e.attachment_types @> '{SNIPPET}'`,
  SCREENSHOT: `e.attachment_types @> '{SCREENSHOT}'`,
};

function onlyType({ attachments = [] }: EventFilters): AttachmentType | null {
  return attachments.length === 1 ? (attachments[0] ?? null) : null;
}

/** The values of a statement, and their names in its text. */
export class Parameters {
  constructor(readonly values: unknown[]) {}

  add(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}

/** SQL of the given filters except those handled elsewhere, each after an AND. */
export function conditionsOf(filters: EventFilters, parameters: Parameters, elsewhere: readonly Filter[] = []): string {
  const type = onlyType(filters);
  const handled = type === null ? elsewhere : [...elsewhere, 'attachments'];
  const asked = valueFilters.filter((filter) => filters[filter] !== undefined && !handled.includes(filter));
  const pieces = asked.map((filter) => conditions[filter](parameters.add(filters[filter])));
  if (type !== null) pieces.push(withAttachment[type]);
  if (filters.hasAttachments !== undefined) {
    pieces.push(`e.attachment_types ${filters.hasAttachments ? '<>' : '='} '{}'`);
  }
  return pieces.map((piece) => ` AND ${piece}`).join('');
}

/** A few characters that identify the given filters, for the name of their statement. */
export function filterKeyOf(filters: EventFilters): string {
  const flags = valueFilters.map((filter) => (filters[filter] === undefined ? '0' : '1'));
  const has = filters.hasAttachments === undefined ? '0' : filters.hasAttachments ? 't' : 'f';
  return `${flags.join('')}${has}${onlyType(filters) ?? ''}`;
}

/**
 * Values that each scan an index once, newest first and no further than the page. One condition on all values would sort
 * all their matches, or pass over everything else. With a lead, no other index has the order of the page, so that the
 * planner cannot prefer a scan of everything.
 */
export interface Lead {
  filters: readonly Filter[];
  /** SQL of the values as a row source named `lead`, limited to the organization $1. */
  source: string;
  /** The condition for the events of a value after the position $2, $3. */
  where: string;
  order: string;
}

function leadThrough(
  table: 'scans' | 'profiles',
  column: string,
  ids: string,
): Pick<Lead, 'source' | 'where' | 'order'> {
  return {
    source: `(SELECT id FROM ${table} WHERE organization_id = $1 AND id = ANY(${ids}::uuid[])) AS lead`,
    where: `e.${column} = lead.id AND e.created_at <= $2 AND (e.created_at, e.id) < ($2, $3)`,
    order: 'e.created_at DESC, e.id DESC',
  };
}

/** Ordered by id alone: an id begins with its time. */
function leadThroughKinds(levels: string, stages: string): Pick<Lead, 'source' | 'where' | 'order'> {
  const kinds = `unnest(${levels}::text[]) AS l(level) CROSS JOIN unnest(${stages}::text[]) AS s(stage)`;
  return {
    source: `(SELECT * FROM ${kinds}) AS lead`,
    where: `e.organization_id = $1 AND e.level = lead.level AND e.stage = lead.stage AND e.created_at <= $2 AND e.id < $3`,
    order: 'e.id DESC',
  };
}

/** The lead for these filters, or null where the organization's own order serves them. */
export function leadOf(filters: EventFilters, parameters: Parameters): Lead | null {
  const { scanIds, profileIds, levels, stages } = filters;
  if (scanIds) return { filters: ['scanIds'], ...leadThrough('scans', 'scan_id', parameters.add(scanIds)) };
  if (profileIds) {
    return { filters: ['profileIds'], ...leadThrough('profiles', 'profile_id', parameters.add(profileIds)) };
  }
  if (!levels && !stages) return null;
  const kinds = leadThroughKinds(parameters.add(levels ?? eventLevels), parameters.add(stages ?? eventStages));
  return { filters: ['levels', 'stages'], ...kinds };
}
