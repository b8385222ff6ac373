import type { ResourceScan } from '../scans/scans.dto.js';
import { eventLevels } from '../vocabulary.js';
import type { EventBucket } from './event-histogram.dto.js';
import type { EventCount } from './scan-events.repository.js';
import type { ChangedScan } from './scan-changes.repository.js';
import type { ScanEventSummary } from './scan-events.dto.js';

export function toScanEventSummary(row: ScanEventSummary): ScanEventSummary {
  const { id, createdAt, level, stage, title, scanId, issuesCount, attachments } = row;
  return { id, createdAt, level, stage, title, scanId, issuesCount, attachments };
}

export function toResourceScan(row: ChangedScan): ResourceScan {
  const { of: _of, number: _number, ...scan } = row;
  return scan;
}

/** A step of a histogram, with zero for levels without events. */
export function toEventBucket(at: Date, counts: EventCount[]): EventBucket {
  const byLevel = Object.fromEntries(eventLevels.map((level) => [level, 0])) as EventBucket['byLevel'];
  for (const { level, count } of counts) byLevel[level] += count;
  return { at, total: counts.reduce((sum, { count }) => sum + count, 0), byLevel };
}
