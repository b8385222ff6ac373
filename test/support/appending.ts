import { toEventRow } from '../../src/scanning/scan-events/event-rows.js';

/** A statement with its values that appends events to a scan as the service does, for a transaction of the test's own. */
export function appending(scanId: string, ...titles: string[]): [sql: string, values: unknown[]] {
  const scan = { organizationId: '', id: scanId, profileId: '', assetIds: [] };
  const rows = titles.map((title, index) =>
    toEventRow(scan, { title, description: '', level: 'INFO', stage: 'EXECUTION' }, index),
  );
  return [
    'SELECT append_events(organization_id, id, application_id, $2::json) FROM scans WHERE id = $1',
    [scanId, JSON.stringify(rows)],
  ];
}
