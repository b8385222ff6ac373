import { isoTimestamp } from '../../database/iso-timestamp.js';
import { tagsJson } from '../tags/tags.statements.js';
import { applicationJson, scanJson } from '../scans/scans.statements.js';
import { issuePlace } from './issue-place.statements.js';

/** SQL that builds the asset of an issue from a row of `assets`. */
function issueAssetJson(row: string): string {
  return `json_build_object(
    'id', ${row}.id, 'name', ${row}.name, 'type', ${row}.type, 'class', ${row}.class, 'uri', ${row}.uri,
    'createdAt', ${isoTimestamp(`${row}.created_at`)},
    'tags', ${tagsJson(row)},
    'service', ${row}.service, 'frontend', ${row}.frontend, 'host', ${row}.host, 'cloudComponent', NULL)`;
}

/** The columns of an issue in a list, from `issueTables`; `i` is the issue. */
export const issueColumns = `i.id, i.name, i.full_name AS "fullName", i.severity,
  coalesce(i.tool_severity, i.severity) AS "toolSeverity", i.severity_set_by AS "severitySetBy", i.category, i.status,
  i.status_set_by AS "statusSetBy", i.set_aside IS NOT NULL AS suppressed,
  (SELECT count(*) FROM issue_targets WHERE issue_id = i.id)::integer AS "targetsCount",
  ${issuePlace('i.id')} AS place,
  i.created_at AS "createdAt", i.context, i.alert_uid AS "alertUid", i.security_test_uid AS "securityTestUid",
  i.asset_id AS "assetId", ${issueAssetJson('a')} AS asset,
  CASE WHEN s.id IS NOT NULL THEN ${scanJson('s', 'p')} END AS scan,
  CASE WHEN p.id IS NOT NULL THEN ${applicationJson('p')} END AS application`;

export const issueTables = `issues i
  JOIN assets a ON a.id = i.asset_id
  LEFT JOIN scans s ON s.id = i.scan_id
  LEFT JOIN profiles p ON p.id = s.application_id`;
