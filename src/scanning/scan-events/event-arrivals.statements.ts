import { boundedRows } from '../../database/bounded-rows.statements.js';
import { type BoundStatement, statement } from '../../database/database.js';
import { Parameters } from '../../database/filtered-statement.js';
import type { ArrivalPosition } from './arrival-cursor.js';
import type { EventFilters } from './event-filters.js';
import { conditionsOf } from './event-filters.statements.js';
import { atMost, listedColumns, named } from './scan-events.statements.js';

/** The most batches that one look goes through, however few of their events match. */
export const batchesOfLook = 1_000;

/** SQL of the mark that a restore leaves in the database, and of the clock of the numbers. */
const epoch = `left(md5(coalesce(current_setting('store_service.restored', true), '')), 16)`;
const now = '(extract(epoch FROM statement_timestamp()) * 1000000)::bigint';

/**
 * SQL of the state of an organization's numbers, beside its row `n` of event_positions: whether a position is ahead of
 * them, whether some batches have no number yet, and where a look from there ends.
 */
export const numberedState = (organizationId: string, number: string): string =>
  `n.last, ${epoch} AS epoch, ${number} > greatest(n.last, ${now}) + 1 AS "isAhead",
   EXISTS (SELECT 1 FROM event_batches b WHERE b.organization_id = ${organizationId} AND b.number IS NULL) AS "isBehind",
   (SELECT b.number FROM event_batches b WHERE b.organization_id = ${organizationId} AND b.number >= ${number}
     ORDER BY b.number OFFSET ${batchesOfLook - 1} LIMIT 1) AS "lookedTo"`;

/** The state of the event numbers of the organization $1, starting from the number $2. */
export const stateFrom = statement(
  'scan-events.numbered-state-from',
  `SELECT ${numberedState('$1', '$2::bigint')} FROM event_positions n WHERE n.organization_id = $1`,
);

interface Place {
  organizationId: string;
  number: string;
  id: string;
}

/** SQL of the batches `b` from a position on, in their order. */
export const batchesFrom = ({ organizationId, number }: Place): string =>
  `(SELECT b.* FROM event_batches b WHERE b.organization_id = ${organizationId} AND b.number >= ${number}
     ORDER BY b.number LIMIT ${batchesOfLook}) AS b`;

/**
 * SQL that holds for the events `e` of the batch `b` after a position, to be ordered by `orderInBatch`. The planner
 * assumes that all batches are of one size, and to find what it takes for few events it would read and sort a whole
 * import for each page: so the statement asks for a range of transactions, and only that bounds the time. It does not
 * compare the time of the events, which would lead to another index.
 */
export const isOfBatch = ({ organizationId, number, id }: Place): string =>
  `e.organization_id = ${organizationId} AND e.arrived <= b.arrived AND (e.arrived, e.id) > (b.arrived,
     CASE WHEN b.number = ${number} THEN ${id} ELSE '00000000-0000-0000-0000-000000000000' END)
   AND CASE WHEN e.appended_at = b.appended_at THEN true END`;
export const orderInBatch = 'e.arrived, e.id';

/** The state of an organization's numbers; no row where it never had any. */
export const stateOfOne = statement(
  'scan-events.numbered-state',
  `SELECT ${numberedState('$1', 'n.last')} FROM event_positions n WHERE n.organization_id = $1`,
);

/**
 * The arrivals of an organization after a position, in the order of the batches, beside the state of its numbers. No
 * row where it never had any.
 */
export function arrivalsStatement(
  organizationId: string,
  { number, id }: ArrivalPosition,
  limit: number,
  filters: EventFilters,
): BoundStatement {
  const parameters = new Parameters([organizationId, number, id, limit]);
  const place = { organizationId: '$1', number: '$2::bigint', id: '$3::uuid' };
  const ofBatch = `SELECT ${listedColumns} FROM scan_events e WHERE ${isOfBatch(place)}${conditionsOf(filters, parameters)}
    ORDER BY ${orderInBatch} LIMIT`;
  const rows = `SELECT e.*, b.number FROM ${batchesFrom(place)} CROSS JOIN LATERAL (${atMost(ofBatch)}) AS e
    ORDER BY b.number, e.id LIMIT`;
  const text = `SELECT s.*, e.* FROM (
      SELECT ${numberedState('$1', '$2::bigint')} FROM event_positions n WHERE n.organization_id = $1) AS s
    LEFT JOIN (${boundedRows(atMost(rows), 'e.number, e.id', 'octet_length(e.attachments::text)')}) AS e ON true
    ORDER BY e.number, e.id`;
  return { sql: named('arrivals', filters, text), values: parameters.values };
}
