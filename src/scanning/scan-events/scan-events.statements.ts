import type { TimeBuckets } from '../../platform/http/time-buckets.js';
import { boundedRows } from '../../database/bounded-rows.statements.js';
import type { BoundStatement, Statement } from '../../database/database.js';
import { Parameters, statementOnce } from '../../database/filtered-statement.js';
import { boundedCount } from '../counted-lists.statements.js';
import { areBestPlannedByValue, areOfAssetsAlone, type EventFilters, isFoundByValue } from './event-filters.js';
import { conditionsOf, filterKeyOf, leadOf, unseen } from './event-filters.statements.js';

/** The columns of a list without the attachments, which may be large. */
export const smallColumns = `e.id, e.created_at AS "createdAt", e.level, e.stage, e.title, e.scan_id AS "scanId",
  cardinality(e.issue_ids) AS "issuesCount"`;
export const listedColumns = `${smallColumns}, e.attachments`;
const newestFirst = 'e."createdAt" DESC, e.id DESC';

/** A prepared statement for each combination of filters; plain text where the planner should see the values. */
export function named(name: string, filters: EventFilters, text: string): Statement | string {
  if (name === 'page' ? isFoundByValue(filters) : areBestPlannedByValue(filters)) return text;
  return statementOnce(`scan-events.${name}.${filterKeyOf(filters)}`, () => text);
}

const bounded = (rows: string, order: string): string => boundedRows(rows, order, 'octet_length(e.attachments::text)');

const inTheOrganization = `e.organization_id = $1 AND e.created_at <= $2 AND (e.created_at, e.id) < ($2, $3)`;
const newest = 'ORDER BY e.created_at DESC, e.id DESC LIMIT';

/** The most rows of a page, and one more. */
const mostRows = 101;

/**
 * The first $4 rows of a select that ends in LIMIT. For a limit that it does not know, the planner expects a tenth of
 * all rows, and so rates the generic plan as so expensive that it plans each request anew, with every month's
 * partition.
 */
export const atMost = (select: string): string => `SELECT * FROM (${select} ${mostRows}) AS e LIMIT $4`;

/** Rows in the organization's order, or in the order of each value of a lead. */
function rowsInOrder(filters: EventFilters, parameters: Parameters): string {
  const lead = leadOf(filters, parameters);
  const conditions = conditionsOf(filters, parameters, lead?.filters);
  if (!lead) {
    return atMost(`SELECT ${listedColumns} FROM scan_events e WHERE ${inTheOrganization}${conditions} ${newest}`);
  }
  const ofOne = `SELECT ${listedColumns} FROM scan_events e WHERE ${lead.where}${conditions} ORDER BY ${lead.order} LIMIT`;
  return `SELECT e.* FROM ${lead.source} CROSS JOIN LATERAL (${atMost(ofOne)}) AS e ORDER BY ${newestFirst} LIMIT $4`;
}

/** The number of newest events to search before an index finds all matches. */
const lookedThrough = 5_000;

/** The matches among the newest events; `among` holds for every event looked at. */
const nearRows = (columns: string, conditions: string, among = ''): string =>
  `SELECT ${columns} FROM (SELECT * FROM scan_events e WHERE ${inTheOrganization}${among} ${newest} ${lookedThrough}) AS e
    WHERE true${conditions} ${newest}`;

/** Rows that GIN indexes find, which have no order. The planner by itself would scan everything for rare ones. */
const farRows = (columns: string, conditions: string): string =>
  `WITH far AS MATERIALIZED (SELECT ${columns} FROM scan_events e WHERE ${inTheOrganization}${conditions})
   SELECT * FROM far ORDER BY created_at DESC, id DESC LIMIT $4`;

/** The rows of `page`, in the page's places. */
const rowsAt = (page: string): string =>
  `SELECT e.* FROM (${page}) AS page CROSS JOIN LATERAL (
     SELECT ${listedColumns} FROM scan_events e
      WHERE e.organization_id = $1 AND e.created_at = page.created_at AND e.id = page.id LIMIT 1) AS e`;

/** Frequent matches soon turn up among the newest events; rare ones are few enough to sort. */
function nearOrFar(conditions: string, among: string): string {
  const none = '(SELECT count(*) FROM near) < $4';
  return `WITH near AS MATERIALIZED (${atMost(nearRows('e.created_at, e.id', conditions, among))})
    SELECT * FROM near WHERE NOT ${none}
    UNION ALL
    (${farRows('e.created_at, e.id', `${among}${conditions} AND ${none}`)})`;
}

/** Rows of assets: most events have one, by which an index has them in order; all assets of the others find them. */
function rowsOfAssets(filters: EventFilters, parameters: Parameters): string {
  const assets = unseen(parameters.add(filters.assetIds), 'uuid');
  const conditions = conditionsOf(filters, parameters, ['assetIds']);
  const further = ` AND e.asset_ids && ${assets} AND e.asset_ids[1] <> ALL(${assets})${conditions}`;
  const ofOne = `SELECT ${listedColumns} FROM scan_events e
     WHERE e.asset_ids[1] = asset.id AND ${inTheOrganization}${conditions} ${newest}`;
  return `SELECT * FROM (
      SELECT e.* FROM (SELECT DISTINCT id FROM unnest(${assets}) AS id) AS asset CROSS JOIN LATERAL (${atMost(ofOne)}) AS e
      UNION ALL
      (${rowsAt(nearOrFar(further, ' AND cardinality(e.asset_ids) > 1'))})
    ) AS e ORDER BY ${newestFirst} LIMIT $4`;
}

function rowsOf(filters: EventFilters, parameters: Parameters): string {
  if (areOfAssetsAlone(filters)) return rowsOfAssets(filters, parameters);
  if (isFoundByValue(filters)) return rowsAt(farRows('e.created_at, e.id', conditionsOf(filters, parameters)));
  return rowsInOrder(filters, parameters);
}

/** A page of an organization's events, newest first, beginning after a position. */
export function pageStatement(
  organizationId: string,
  after: readonly unknown[],
  limit: number,
  filters: EventFilters,
): BoundStatement {
  const parameters = new Parameters([organizationId, ...after, limit]);
  const rows = rowsOf(filters, parameters);
  return { sql: named('page', filters, bounded(rows, newestFirst)), values: parameters.values };
}

/**
 * Like `pageStatement`, by a look through the newest events after the position. Where it is not null, ask it first; if
 * it returns fewer than `limit`, ask for the page.
 */
export function nearPageStatement(
  organizationId: string,
  after: readonly unknown[],
  limit: number,
  filters: EventFilters,
): BoundStatement | null {
  if (!isFoundByValue(filters)) return null;
  const parameters = new Parameters([organizationId, ...after, limit]);
  const rows = atMost(nearRows(listedColumns, conditionsOf(filters, parameters)));
  const text = () => bounded(rows, newestFirst);
  return { sql: statementOnce(`scan-events.near.${filterKeyOf(filters)}`, text), values: parameters.values };
}

/** The number of events before a position, counted up to the bound of lists. Planned with the values. */
export function totalStatement(
  organizationId: string,
  before: readonly unknown[],
  filters: EventFilters,
): BoundStatement {
  const parameters = new Parameters([organizationId, ...before]);
  const sql = boundedCount(`scan_events e WHERE ${inTheOrganization}${conditionsOf(filters, parameters)}`);
  return { sql, values: parameters.values };
}

/**
 * The number of events of an organization in each step of time, by level. Planned with the values, which decide which
 * months are read, and by which index.
 */
export function histogramStatement(organizationId: string, steps: TimeBuckets, filters: EventFilters): BoundStatement {
  const parameters = new Parameters([organizationId, steps.starts, steps.from, steps.to]);
  const sql = `SELECT width_bucket(e.created_at, $2::timestamptz[]) AS step, e.level, count(*) AS count
      FROM scan_events e
     WHERE e.organization_id = $1 AND e.created_at >= $3 AND e.created_at < $4${conditionsOf(filters, parameters)}
     GROUP BY step, e.level`;
  return { sql, values: parameters.values };
}
