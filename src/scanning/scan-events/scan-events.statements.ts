import type { TimeSteps } from '../../common/http/time-steps.js';
import { boundedRows } from '../../database/bounded-rows.statements.js';
import type { BoundStatement, Statement } from '../../database/database.js';
import { Parameters, statementOnce } from '../../database/filtered-statement.js';
import { boundedCount } from '../counted-lists.statements.js';
import { areBestPlannedByValue, areOfAssetsAlone, type EventFilters, isFoundByValue } from './event-filters.js';
import { conditionsOf, filterKeyOf, leadOf, unseen } from './event-filters.statements.js';

export const listedColumns = `e.id, e.created_at AS "createdAt", e.level, e.stage, e.title, e.scan_id AS "scanId",
  cardinality(e.issue_ids) AS "issuesCount", e.attachments`;
const newestFirst = 'e."createdAt" DESC, e.id DESC';

/** A prepared statement for each combination of filters; plain text where the planner should see the values. */
export function named(name: string, filters: EventFilters, text: string): Statement | string {
  if (name === 'page' ? isFoundByValue(filters) : areBestPlannedByValue(filters)) return text;
  return statementOnce(`scan-events.${name}.${filterKeyOf(filters)}`, () => text);
}

const bounded = (rows: string, order: string): string => boundedRows(rows, order, 'octet_length(e.attachments::text)');

const inTheOrganization = `e.organization_id = $1 AND e.created_at <= $2 AND (e.created_at, e.id) < ($2, $3)`;
const newest = 'ORDER BY e.created_at DESC, e.id DESC LIMIT';

/** As many rows as a page has at most, and one more. */
const mostRows = 101;

/**
 * The first $4 rows of a select that ends in LIMIT. Of a limit that it does not know, the planner expects a tenth of all
 * rows, and takes a plan for all values to be so expensive that it plans each request anew, with every month's partition.
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

/** How many of the newest events are searched before an index finds all matches. */
const lookedThrough = 5_000;

/** Which of the newest events match; `among` hold for every event looked at. */
const nearRows = (columns: string, conditions: string, among = ''): string =>
  `SELECT ${columns} FROM (SELECT * FROM scan_events e WHERE ${inTheOrganization}${among} ${newest} ${lookedThrough}) AS e
    WHERE true${conditions} ${newest}`;

/** Rows that GIN indexes find, which have no order. Left to choose, the planner would scan everything for rare ones. */
const farRows = (columns: string, conditions: string): string =>
  `WITH far AS MATERIALIZED (SELECT ${columns} FROM scan_events e WHERE ${inTheOrganization}${conditions})
   SELECT * FROM far ORDER BY created_at DESC, id DESC LIMIT $4`;

/** The rows of `page`, which has their places. */
const rowsAt = (page: string): string =>
  `SELECT e.* FROM (${page}) AS page CROSS JOIN LATERAL (
     SELECT ${listedColumns} FROM scan_events e
      WHERE e.organization_id = $1 AND e.created_at = page.created_at AND e.id = page.id LIMIT 1) AS e`;

/** Frequent matches are soon found among the newest events; rare ones are few enough to be sorted. */
function nearOrFar(conditions: string, among: string): string {
  const none = '(SELECT count(*) FROM near) < $4';
  return `WITH near AS MATERIALIZED (${atMost(nearRows('e.created_at, e.id', conditions, among))})
    SELECT * FROM near WHERE NOT ${none}
    UNION ALL
    (${farRows('e.created_at, e.id', `${among}${conditions} AND ${none}`)})`;
}

/** Rows of assets: most events have one, by which an index has them in order; the others are found by all of theirs. */
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
 * As `pageStatement`, by a look through the newest events after the position: to be asked first where it is not null. Where
 * it returns fewer than `limit`, the page is to be asked for.
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

/** How many events there are before a position, counted no further than a list is. Planned with the values. */
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
 * The number of events of an organization in each step of time, by level. Planned with the values, which decide what
 * months are read, and by which index.
 */
export function histogramStatement(organizationId: string, steps: TimeSteps, filters: EventFilters): BoundStatement {
  const parameters = new Parameters([organizationId, steps.starts, steps.from, steps.to]);
  const sql = `SELECT width_bucket(e.created_at, $2::timestamptz[]) AS step, e.level, count(*) AS count
      FROM scan_events e
     WHERE e.organization_id = $1 AND e.created_at >= $3 AND e.created_at < $4${conditionsOf(filters, parameters)}
     GROUP BY step, e.level`;
  return { sql, values: parameters.values };
}
