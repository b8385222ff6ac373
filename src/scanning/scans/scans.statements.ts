import { isoTimestamp } from '../../database/iso-timestamp.js';
import { shownAssets } from './scans.dto.js';

/** SQL that builds an Application from a row of `profiles`. */
export function applicationJson(row: string): string {
  return `json_build_object(
    'id', ${row}.id, 'name', ${row}.name, 'scannerKind', ${row}.scanner_kind, 'type', ${row}.type,
    'createdAt', ${isoTimestamp(`${row}.created_at`)}, 'updatedAt', ${isoTimestamp(`${row}.updated_at`)})`;
}

/** SQL of the assets of a scan. */
export const assetIds = (row: string): string =>
  `ARRAY(SELECT asset_id FROM scan_assets WHERE scan_id = ${row}.id ORDER BY asset_id LIMIT ${shownAssets})`;

/** SQL of the columns of a ResourceScan, of a row `s` of `scans` and its profile `p`. */
export const scanColumns = `s.id, s.status, s.kind, s.created_at AS "createdAt", s.updated_at AS "updatedAt",
  s.finished_at AS "finishedAt", s.progress_ratio AS "progressRatio", s.application_id AS "applicationId",
  ${applicationJson('p')} AS application, s.branch, s.commit_id AS commit, s.pull_request AS "pullRequest",
  ${assetIds('s')} AS "assetIds", s.tool, s.tool_version AS "toolVersion", s.failure_reason AS "failureReason"`;

/** SQL that builds a ResourceScan from a row of `scans` and that of its profile. */
export function scanJson(row: string, profile: string): string {
  return `json_build_object(
    'id', ${row}.id, 'status', ${row}.status, 'kind', ${row}.kind,
    'createdAt', ${isoTimestamp(`${row}.created_at`)}, 'updatedAt', ${isoTimestamp(`${row}.updated_at`)},
    'finishedAt', ${isoTimestamp(`${row}.finished_at`)}, 'progressRatio', ${row}.progress_ratio,
    'applicationId', ${row}.application_id, 'application', ${applicationJson(profile)},
    'branch', ${row}.branch, 'commit', ${row}.commit_id, 'pullRequest', ${row}.pull_request,
    'assetIds', ${assetIds(row)}, 'tool', ${row}.tool, 'toolVersion', ${row}.tool_version,
    'failureReason', ${row}.failure_reason)`;
}
