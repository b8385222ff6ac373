import { isoTimestamp } from '../../database/iso-timestamp.js';
import { tagsJson } from '../tags/tags.statements.js';
import { applicationJson, scanJson } from '../scans/scans.statements.js';
import { lastSeenAt, toolOfIssue } from './issue-filters.statements.js';
import { issuePlace } from './issue-place.statements.js';

/** SQL that builds the asset of an issue from a row of `assets`. */
function issueAssetJson(row: string): string {
  return `json_build_object(
    'id', ${row}.id, 'name', ${row}.name, 'type', ${row}.type, 'class', ${row}.class, 'uri', ${row}.uri,
    'createdAt', ${isoTimestamp(`${row}.created_at`)},
    'tags', ${tagsJson(row)},
    'service', ${row}.service, 'frontend', ${row}.frontend, 'host', ${row}.host, 'cloudComponent', NULL)`;
}

/** SQL of the branches on which scans found an issue: the default one, then those that have it, the last seen ones first. */
export function issueBranches(row: string, most: number): string {
  return `(SELECT coalesce(json_agg(json_build_object('name', f.name, 'lastSeenAt', ${isoTimestamp('f.last_seen_at')},
                     'present', f.present, 'default', f.is_default) ORDER BY f.is_default DESC, f.present DESC, f.last_seen_at DESC, f.id), '[]')
    FROM (SELECT b.id, b.name, b.is_default, x.last_seen_at, x.present
            FROM issue_branches x JOIN branches b ON b.id = x.branch_id WHERE x.issue_id = ${row}.id
           ORDER BY b.is_default DESC, x.present DESC, x.last_seen_at DESC, b.id LIMIT ${most}) AS f)`;
}

/** Somebody whose account is gone is nobody, even before `IssueUpkeepService` has taken their issues from them. */
const fromAccount = (id: string, what: string): string =>
  `(SELECT ${what} FROM users u WHERE u.id = ${id} AND u.deleted_at IS NULL)`;

const assigneeJson = fromAccount('i.assignee_id', `json_build_object('id', u.id, 'username', u.username)`);

const acceptedByJson = `CASE
  WHEN i.accepted_by IS NOT NULL
    THEN ${fromAccount('i.accepted_by', `json_build_object('kind', 'USER', 'userId', u.id, 'name', u.username)`)}
  WHEN i.accepted_by_key IS NOT NULL
    THEN json_build_object('kind', 'API_KEY', 'userId', NULL, 'name', i.accepted_by_key) END`;

/** The columns of an issue in a list, from `issueTables`; `i` is the issue. */
export const issueColumns = `i.id, i.name, i.full_name AS "fullName", i.severity,
  coalesce(i.tool_severity, i.severity) AS "toolSeverity", i.severity_set_by AS "severitySetBy", i.category, i.status,
  i.branch_only AS "branchOnly", i.status_set_by AS "statusSetBy", i.set_aside IS NOT NULL AS suppressed,
  (SELECT count(*) FROM issue_targets WHERE issue_id = i.id)::integer AS "targetsCount",
  ${issuePlace('i.id')} AS place, i.epss, i.kev,
  i.created_at AS "createdAt", i.context, i.alert_uid AS "alertUid", i.security_test_uid AS "securityTestUid",
  i.asset_id AS "assetId", ${issueAssetJson('a')} AS asset,
  ${fromAccount('i.assignee_id', 'u.id')} AS "assigneeId", ${assigneeJson} AS assignee, i.due_at AS "dueAt", i.accepted_until AS "acceptedUntil",
  i.accepted_reason AS "acceptedReason", ${acceptedByJson} AS "acceptedBy", i.external_url AS "externalUrl",
  ${lastSeenAt} AS "lastSeenAt", ${toolOfIssue} AS tool,
  CASE WHEN s.id IS NOT NULL THEN ${scanJson('s', 'p')} END AS scan,
  CASE WHEN p.id IS NOT NULL THEN ${applicationJson('p')} END AS application`;

export const issueTables = `issues i
  JOIN assets a ON a.id = i.asset_id
  LEFT JOIN scans s ON s.id = i.scan_id
  LEFT JOIN profiles p ON p.id = s.application_id`;
