import { uuidV7At } from '../../../common/crypto/uuid-v7.js';
import type { Sql } from '../demo-loader.js';
import { of } from '../rows.js';
import { daysBefore } from '../time.js';
import { companyName, members } from './company.js';
import * as estate from './estate-rows.js';
import { demoEvents } from './events.js';
import * as findings from './finding-rows.js';
import * as scanned from './scan-rows.js';
import type { ScanningDoor } from './scanning-door.js';

/** What was loaded. */
export interface ScanningSummary {
  organizationId: string;
  assets: number;
  scans: number;
  issues: number;
  events: number;
}

const foundedDaysAgo = 61;

type Ids = ReadonlyMap<string, string>;
type Write = (table: string, rows: readonly Record<string, unknown>[]) => Promise<unknown>;

/** Rows of a table, written by one statement: JSON under the table's own types. */
function writer(sql: Sql): Write {
  return (table, rows) => {
    const columns = Object.keys(rows[0] ?? {}).join(', ');
    const given = `SELECT ${columns} FROM json_populate_recordset(NULL::${table}, $1::json)`;
    return sql(`INSERT INTO ${table} (${columns}) ${given}`, [JSON.stringify(rows)]);
  };
}

function idsByName(rows: readonly { id: string; name: string }[]): Map<string, string> {
  return new Map(rows.map(({ id, name }) => [name, id]));
}

/**
 * Writes the demo's organization: what it owns, its scans with their events, and its issues. `users` are the ids of the
 * demo's people by their names in it. `sql` must run inside one transaction of the caller, once.
 */
export async function loadScanningDemo(sql: Sql, users: Ids, door: ScanningDoor, now: Date): Promise<ScanningSummary> {
  const write = writer(sql);
  const organizationId = await found(write, users, now);
  const known = await writeEstate(write, { organizationId, now }, door);
  const scanIds = scanned.scanIdsAt(now);
  const places = { organizationId, scanIds, profileIds: known.profiles };
  await write('scans', scanned.scanRows(places, known.locations, now));
  await write('scan_assets', scanned.scanAssetRows(scanIds, known.assets));
  const events = demoEvents(now);
  const issues = findings.placeIssues(events, scanIds);
  await writeIssues(write, [...issues.values()], { organizationId, assetIds: known.assets, users, now }, door);
  await write('scan_events', scanned.eventRows(events, { ...places, assetIds: known.assets, issues }, door));
  return {
    organizationId,
    assets: known.assets.size,
    scans: scanIds.size,
    issues: issues.size,
    events: events.length,
  };
}

/** Writes the organization and its members; answers its id. */
async function found(write: Write, users: Ids, now: Date): Promise<string> {
  const founded = daysBefore(now, foundedDaysAgo);
  const id = uuidV7At(founded, 0);
  await write('organizations', [{ id, name: companyName, scoped_webhook_export_payload: false, created_at: founded }]);
  const joined = members.map(({ username, role }, at) => {
    const createdAt = daysBefore(now, foundedDaysAgo - at);
    return { organization_id: id, user_id: of(users, username), role, created_at: createdAt };
  });
  await write('organization_members', joined);
  return id;
}

/** Writes what the organization owns; answers the ids by name. */
async function writeEstate(write: Write, owner: estate.Owner, door: ScanningDoor) {
  const [profiles, tags, locations] = [estate.profileRows(owner), estate.tagRows(owner), estate.locationRows(owner)];
  const [assets, workflows] = [estate.assetRows(owner, door), estate.workflowRows(owner)];
  const known = { profiles: idsByName(profiles), locations: idsByName(locations), assets: idsByName(assets) };
  await write('profiles', profiles);
  await write('tags', tags);
  await write('locations', locations);
  await write('integrations', estate.integrationRows(owner, door));
  await write('assets', assets);
  await write('asset_tags', estate.assetTagRows(known.assets, idsByName(tags)));
  await write('workflows', workflows);
  await write('workflow_actions', estate.actionRows(idsByName(workflows), owner, door));
  return known;
}

async function writeIssues(
  write: Write,
  placed: readonly findings.PlacedIssue[],
  places: findings.IssuePlaces,
  door: ScanningDoor,
): Promise<void> {
  await write('issues', findings.issueRows(placed, places, door));
  await write('issue_scans', findings.issueScanRows(placed));
  await write('issue_targets', findings.targetRows(placed));
  await write('issue_activities', findings.activityRows(placed, places));
}
