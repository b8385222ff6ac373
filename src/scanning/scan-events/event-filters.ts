import { type AttachmentType, type EventLevel, eventLevels, type EventStage, eventStages } from '../vocabulary.js';

/** What is asked of events; what is left out asks for nothing. */
export interface EventFilters {
  /** A LIKE pattern. */
  search?: string | undefined;
  profileIds?: readonly string[] | undefined;
  scanIds?: readonly string[] | undefined;
  assetIds?: readonly string[] | undefined;
  issueIds?: readonly string[] | undefined;
  stages?: readonly EventStage[] | undefined;
  levels?: readonly EventLevel[] | undefined;
  hasAttachments?: boolean | undefined;
  attachments?: readonly AttachmentType[] | undefined;
}
type Filter = keyof EventFilters;
type ValueFilter = Exclude<Filter, 'hasAttachments'>;

/** The condition of each filter. The one on attachments repeats what makes its partial index serve. */
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

/** One type by itself is written out, as it stands in the partial index that serves it. */
const withAttachment: Record<AttachmentType, string> = {
  EXCHANGE: `e.attachment_types @> '{EXCHANGE}'`,
  SNIPPET: `e.attachment_types @> '{SNIPPET}'`,
  SCREENSHOT: `e.attachment_types @> '{SCREENSHOT}'`,
};

function onlyType({ attachments = [] }: EventFilters): AttachmentType | null {
  return attachments.length === 1 ? (attachments[0] ?? null) : null;
}

/** The values of a statement, and the names that its text has for them. */
export class Parameters {
  constructor(readonly values: unknown[]) {}

  add(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}

/** SQL of the filters that are given, save those that are seen to elsewhere: each piece after an AND. */
export function conditionsOf(filters: EventFilters, parameters: Parameters, elsewhere: readonly Filter[] = []): string {
  const type = onlyType(filters);
  const seenTo = type === null ? elsewhere : [...elsewhere, 'attachments'];
  const asked = valueFilters.filter((filter) => filters[filter] !== undefined && !seenTo.includes(filter));
  const pieces = asked.map((filter) => conditions[filter](parameters.add(filters[filter])));
  if (type !== null) pieces.push(withAttachment[type]);
  if (filters.hasAttachments !== undefined) {
    pieces.push(`e.attachment_types ${filters.hasAttachments ? '<>' : '='} '{}'`);
  }
  return pieces.map((piece) => ` AND ${piece}`).join('');
}

/** A few characters that say which filters are given: part of the name of their statement. */
export function markOf(filters: EventFilters): string {
  const marks = valueFilters.map((filter) => (filters[filter] === undefined ? '0' : '1'));
  const has = filters.hasAttachments === undefined ? '0' : filters.hasAttachments ? 't' : 'f';
  return `${marks.join('')}${has}${onlyType(filters) ?? ''}`;
}

/** Whether GIN indexes serve these filters: what they are worth depends on the values, for which each is planned anew. */
export function areBestPlannedByValue({ search, assetIds, issueIds }: EventFilters): boolean {
  return search !== undefined || assetIds !== undefined || issueIds !== undefined;
}

/**
 * Whether one index leads to the page that these filters ask for. All else may walk through many events for few, however
 * it is planned: what two filters have in common, say, or what nearly none is.
 */
export function areServedByOneIndex(filters: EventFilters): boolean {
  const { scanIds, profileIds, stages, levels, hasAttachments, attachments = [] } = filters;
  if (areBestPlannedByValue(filters) || hasAttachments === false || attachments.length > 1) return false;
  const kinds = stages ?? levels;
  const attached = filters.attachments ?? hasAttachments;
  return [scanIds, profileIds, kinds, attached].filter((asked) => asked !== undefined).length <= 1;
}

/** Whether anything is asked for. */
export function areAny(filters: EventFilters): boolean {
  return Object.values(filters).some((value) => value !== undefined);
}

/**
 * A list of values that leads through an index once for each value, newest first and no further than the page: a condition
 * on all of them at once would sort all that they match, or pass over all that they do not. Where it stands, no other index
 * has the order that is asked for, so that the planner cannot take a walk through everything for the better way.
 */
export interface Lead {
  filters: readonly Filter[];
  /** SQL of the values, as a row source named `lead`: of the organization $1 alone. */
  source: string;
  /** Which events of a value, after the position of $2 and $3. */
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

/** An id's order is that of its time. */
function leadThroughKinds(levels: string, stages: string): Pick<Lead, 'source' | 'where' | 'order'> {
  const kinds = `unnest(${levels}::text[]) AS l(level) CROSS JOIN unnest(${stages}::text[]) AS s(stage)`;
  return {
    source: `(SELECT * FROM ${kinds}) AS lead`,
    where: `e.organization_id = $1 AND e.level = lead.level AND e.stage = lead.stage AND e.created_at <= $2 AND e.id < $3`,
    order: 'e.id DESC',
  };
}

/** The lead that serves these filters, or null where the organization's own order does. */
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
