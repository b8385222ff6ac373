import { pageBytes } from '../../database/bounded-rows.statements.js';
import type { BoundStatement } from '../../database/database.js';
import { Parameters, statementOnce } from '../../database/filtered-statement.js';
import type { EventFilters } from './event-filters.js';
import { conditionsOf, filterKeyOf } from './event-filters.statements.js';
import { smallColumns } from './scan-events.statements.js';
import type { ScanEventSummary } from './scan-events.dto.js';

/** An event; without its attachments where they would exceed the bytes of a page. */
export type RoutedRow = Omit<ScanEventSummary, 'attachments'> & {
  attachments: ScanEventSummary['attachments'] | null;
};

const newestFirst = 'ORDER BY e.created_at DESC, e.id DESC';
const bytes = 'octet_length(e.attachments::text)';
const fittingAttachments = `CASE WHEN sum(${bytes}) OVER newer - ${bytes} < ${pageBytes} THEN e.attachments END AS attachments`;

/** The condition for the events after a position, if the list does not begin with the newest one. */
function afterPosition([time, id]: readonly unknown[], parameters: Parameters): string {
  if (time === 'infinity') return '';
  const [ofTime, ofId] = [parameters.add(time), parameters.add(id)];
  return ` AND e.created_at <= ${ofTime} AND (e.created_at, e.id) < (${ofTime}, ${ofId})`;
}

/**
 * Like `pageStatement`, for events on several servers: of one table and without subqueries, so that the coordinator of
 * Citus passes it on without a plan of its own ("fast path router"). Its conditions are few, as planning takes time for
 * each of them in each month. null if the filters do not leave the order of one index.
 */
export function routedPageStatement(
  organizationId: string,
  after: readonly unknown[],
  limit: number,
  filters: EventFilters,
): BoundStatement | null {
  const { scanIds, profileIds, levels, stages } = filters;
  if (levels || stages || [scanIds, profileIds].some((ids) => ids && ids.length > 1)) return null;
  const parameters = new Parameters([organizationId, limit]);
  const conditions = [
    afterPosition(after, parameters),
    scanIds ? ` AND e.scan_id = ${parameters.add(scanIds[0])}` : '',
    profileIds ? ` AND e.profile_id = ${parameters.add(profileIds[0])}` : '',
    conditionsOf(filters, parameters, ['scanIds', 'profileIds', 'sinceId']),
  ].join('');
  const text = () => `SELECT ${smallColumns}, ${fittingAttachments} FROM scan_events e
     WHERE e.organization_id = $1${conditions}
    WINDOW newer AS (${newestFirst} ROWS UNBOUNDED PRECEDING) ${newestFirst} LIMIT $2`;
  const name = `scan-events.routed.${after[0] === 'infinity' ? 'first' : 'next'}.${filterKeyOf(filters)}`;
  return { sql: statementOnce(name, text), values: parameters.values };
}
