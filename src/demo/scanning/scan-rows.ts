import { type DemoEvent, named, scans, timesOf } from '@store-service/demo';
import { demoIdAt } from '../demo-ids.js';
import type { NewEvent } from '../../scanning/scan-events/event-rows.js';
import type { ScanContext } from '../../scanning/scans/scan-context.js';
import type { PlacedIssue } from './issue-rows.js';

type Ids = ReadonlyMap<string, string>;

/** The ids of the demo's named things. */
export interface KnownIds {
  organization: string;
  profiles: Ids;
  locations: Ids;
  assets: Ids;
  scans: Ids;
}

/** The scans' ids by their keys. */
export function scanIdsAt(now: Date): Map<string, string> {
  return new Map(scans.map((scan) => [scan.key, demoIdAt(`scan ${scan.key}`, timesOf(scan, now).begin, now)]));
}

export function scanRows(ids: KnownIds, now: Date) {
  return scans.map((scan) => {
    const { begin, end } = timesOf(scan, now);
    const isUnderWay = scan.status === 'STARTING' || scan.status === 'RUNNING';
    return {
      id: named(ids.scans, scan.key),
      organization_id: ids.organization,
      application_id: named(ids.profiles, scan.profile),
      kind: scan.kind,
      status: scan.status,
      location_id: scan.location && named(ids.locations, scan.location),
      progress_ratio: scan.progressRatio,
      created_at: begin,
      updated_at: end,
      finished_at: isUnderWay ? null : end,
      branch: scan.source?.branch ?? null,
      commit_id: scan.source?.commit ?? null,
      tool: scan.source?.tool ?? null,
      tool_version: scan.source?.toolVersion ?? null,
    };
  });
}

export function scanAssetRows(ids: KnownIds) {
  return scans.flatMap(({ key, assets }) =>
    assets.map((asset) => ({ scan_id: named(ids.scans, key), asset_id: named(ids.assets, asset) })),
  );
}

/** The events of a scan. */
export interface ScannedEvents {
  scan: ScanContext;
  events: NewEvent[];
}

/** The events of each scan, in their order. */
export function eventsByScan(
  events: readonly DemoEvent[],
  ids: KnownIds,
  placed: readonly PlacedIssue[],
): ScannedEvents[] {
  const issueIds = new Map(placed.map(({ issue, row }) => [issue, row.id]));
  const byScan = new Map<DemoEvent['scan'], ScannedEvents>();
  for (const { scan, asset, issue, ...content } of events) {
    const own = byScan.get(scan) ?? { scan: contextOf(scan, ids), events: [] };
    const issueId = issue && issueIds.get(issue);
    const about = { assetIds: [named(ids.assets, asset.name)], issueIds: issueId ? [issueId] : [] };
    own.events.push({ ...content, ...about });
    byScan.set(scan, own);
  }
  return [...byScan.values()];
}

function contextOf(scan: DemoEvent['scan'], ids: KnownIds): ScanContext {
  const [id, profileId] = [named(ids.scans, scan.key), named(ids.profiles, scan.profile)];
  return { organizationId: ids.organization, id, profileId, assetIds: [] };
}
