import type { EventListRow } from './scan-events.repository.js';
import type { ScanEventSummary } from './scan-events.shapes.js';

export function toScanEventSummary(row: EventListRow): ScanEventSummary {
  const { id, createdAt, level, stage, title, scanId, issuesCount, attachments } = row;
  return { id, createdAt, level, stage, title, scanId, issuesCount, attachments };
}
