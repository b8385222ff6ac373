import type { Pool, QueryConfig } from 'pg';
import { type Page, pageOf, startOf } from '../../src/platform/http/cursor.js';
import { containing } from '../../src/database/like-pattern.js';
import type { EventFilters } from '../../src/scanning/scan-events/event-filters.js';
import type { BoundStatement } from '../../src/database/database.js';
import { nearPageStatement, pageStatement } from '../../src/scanning/scan-events/scan-events.statements.js';
import { toScanEventSummary } from '../../src/scanning/scan-events/scan-events.mapper.js';
import type { EventListRow } from '../../src/scanning/scan-events/scan-events.repository.js';
import type { ScanEventSummary } from '../../src/scanning/scan-events/scan-events.dto.js';
import type { AttachmentType, EventLevel, EventStage } from '../../src/scanning/vocabulary.js';
import { organizationId } from '../scanning/fill-organization.js';

const size = 50;

function filtersOf(query: URLSearchParams): EventFilters {
  const list = (name: string): string[] | undefined => query.get(name)?.split(',');
  const search = query.get('search');
  const hasAttachments = query.get('hasAttachments');
  return {
    search: search === null ? undefined : containing(search),
    profileIds: list('profileIds'),
    scanIds: list('scanIds'),
    assetIds: list('assetIds'),
    issueIds: list('issueIds'),
    stages: list('stages') as EventStage[] | undefined,
    levels: list('levels') as EventLevel[] | undefined,
    hasAttachments: hasAttachments === null ? undefined : hasAttachments === 'true',
    attachments: list('attachments') as AttachmentType[] | undefined,
  };
}

function queryOf({ sql, values }: BoundStatement): QueryConfig {
  return typeof sql === 'string' ? { text: sql, values } : { ...sql, values };
}

/** The rows of a page of events, by the service's statements. */
async function rowsOf(pool: Pool, query: URLSearchParams): Promise<EventListRow[]> {
  const asked = [organizationId, startOf(query.get('cursor') ?? undefined), size + 1, filtersOf(query)] as const;
  const near = nearPageStatement(...asked);
  const rows = near ? (await pool.query<EventListRow>(queryOf(near))).rows : [];
  if ((rows[0]?.total ?? 0) > size) return rows;
  return (await pool.query<EventListRow>(queryOf(pageStatement(...asked)))).rows;
}

/** A page of events. */
export async function eventPage(pool: Pool, query: URLSearchParams): Promise<Page<ScanEventSummary>> {
  const rows = await rowsOf(pool, query);
  const total = rows[0]?.total ?? 0;
  return pageOf(rows, size, toScanEventSummary, total > Math.min(size, rows.length));
}
