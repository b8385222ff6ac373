import { uuidV7At } from '../../../common/crypto/uuid-v7.js';
import type { DemoEvent } from './events/demo-event.js';
import { issueKey, type PlacedIssue } from './finding-rows.js';
import type { ScanningDoor } from './scanning-door.js';
import { type DemoScan, scans, timesOf } from './scans.js';

type Ids = ReadonlyMap<string, string>;

/** The scans' ids by their keys. */
export function scanIdsAt(now: Date): Map<string, string> {
  return new Map(scans.map((scan, at) => [scan.key, uuidV7At(timesOf(scan, now).begin, at)]));
}

interface ScanPlaces {
  organizationId: string;
  scanIds: Ids;
  profileIds: Ids;
}

export function scanRows({ organizationId, scanIds, profileIds }: ScanPlaces, locationIds: Ids, now: Date) {
  return scans.map((scan) => {
    const { begin, end } = timesOf(scan, now);
    const goesOn = scan.status === 'STARTING' || scan.status === 'RUNNING';
    return {
      id: scanIds.get(scan.key),
      organization_id: organizationId,
      application_id: profileIds.get(scan.profile),
      kind: scan.kind,
      status: scan.status,
      location_id: scan.location && locationIds.get(scan.location),
      progress_ratio: scan.progressRatio,
      created_at: begin,
      updated_at: end,
      finished_at: goesOn ? null : end,
    };
  });
}

export function scanAssetRows(scanIds: Ids, assetIds: Ids) {
  return scans.flatMap(({ key, assets }) =>
    assets.map((asset) => ({ scan_id: scanIds.get(key), asset_id: assetIds.get(asset) })),
  );
}

interface EventPlaces extends ScanPlaces {
  assetIds: Ids;
  issues: ReadonlyMap<string, PlacedIssue>;
}

export function eventRows(events: readonly DemoEvent[], places: EventPlaces, door: ScanningDoor) {
  return events.map((event, at) => {
    const { scan, asset, issue, createdAt, level, stage, title, description } = event;
    const issueId = issue && places.issues.get(issueKey(issue))?.id;
    return {
      id: uuidV7At(createdAt, at),
      created_at: createdAt,
      organization_id: places.organizationId,
      ...scanOfEvent(scan, places),
      level,
      stage,
      title,
      description,
      asset_ids: [places.assetIds.get(asset.name)],
      issue_ids: issueId ? [issueId] : [],
      ...attached(event, door),
    };
  });
}

function scanOfEvent({ key, profile }: DemoScan, { scanIds, profileIds }: ScanPlaces) {
  return { scan_id: scanIds.get(key), profile_id: profileIds.get(profile) };
}

function attached({ attachments, createdAt }: DemoEvent, door: ScanningDoor) {
  return {
    attachments: attachments.map((attachment, at) => ({ id: uuidV7At(createdAt, at), createdAt, ...attachment })),
    attachment_types: [...new Set(attachments.map(({ type }) => type))],
    attachment_text: door.attachmentText(attachments),
  };
}
