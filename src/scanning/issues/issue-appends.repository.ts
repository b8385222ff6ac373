import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database.js';
import type { IssueSeverity, IssueStatus } from '../vocabulary.js';
import type { EncodedRow } from './finding-rows.js';

/** An existing issue that was found again, before and after. */
export interface FoundAgain {
  id: string;
  identity: string;
  statusBefore: IssueStatus;
  severityBefore: IssueSeverity;
  status: IssueStatus;
  severity: IssueSeverity;
  /** Whether an activity keeps the previous context. */
  contextKept: boolean;
}

/** The characters of a replaced context that its activity keeps. */
const keptContext = 10_000;

const rowColumns = `id uuid, activity_id uuid, identity text, asset_id uuid, name text, full_name text, severity text,
  category text, status text, context text, alert_uid text, security_test_uid text, rule_digest text, detail jsonb`;

const foreignAsset = statement(
  'issues.foreign-asset',
  `SELECT given AS id FROM unnest($2::uuid[]) AS given
    WHERE NOT EXISTS (SELECT FROM assets WHERE organization_id = $1 AND id = given) LIMIT 1`,
);

// All statements lock issues in the order of identities, so that two appends of the same issues wait without a deadlock.
const insertNew = statement(
  'issues.insert-new',
  `WITH found AS MATERIALIZED (
     SELECT * FROM json_to_recordset($3::json) AS f(${rowColumns})
   ), made AS (
     INSERT INTO issues (id, identity, organization_id, scan_id, asset_id, name, full_name, severity, category, status,
                         set_aside, context, alert_uid, security_test_uid)
     SELECT f.id, f.identity, $1, $2, f.asset_id, f.name, f.full_name, f.severity, f.category, f.status,
            nullif(f.status, 'OPEN'), f.context, f.alert_uid, f.security_test_uid
       FROM found f ORDER BY f.identity
     ON CONFLICT (organization_id, identity) DO NOTHING
     RETURNING id, identity, status
   ), joined AS (
     INSERT INTO issue_scans (issue_id, scan_id) SELECT id, $2 FROM made
   ), discovered AS (
     INSERT INTO issue_activities (id, issue_id, organization_id, kind, to_value, actor_kind)
     SELECT f.activity_id, made.id, $1, 'STATUS', made.status, 'SYSTEM' FROM made JOIN found f USING (id)
   ), described AS (
     INSERT INTO issue_details (issue_id, rule_digest, detail)
     SELECT made.id, f.rule_digest, f.detail FROM made JOIN found f USING (id) WHERE f.detail IS NOT NULL
   ), located AS (
     INSERT INTO issue_targets (id, issue_id, target_uid, scan_id, detail)
     SELECT t.id, t.issue_id, t.target_uid, $2, t.detail
       FROM json_to_recordset($4::json) AS t(id uuid, issue_id uuid, target_uid text, detail jsonb)
      WHERE t.issue_id IN (SELECT id FROM made)
   )
   SELECT id, identity FROM made`,
);

/** The status by which the scan sets the issue aside. Within one scan, an open finding outweighs those set aside. */
const setAside = `CASE WHEN i.scan_id = $2 AND i.set_aside IS NULL THEN NULL ELSE nullif(f.status, 'OPEN') END`;

/**
 * A scanner that newly sets an open issue aside closes it; one that stops doing so reopens an issue that was closed this way.
 * A status that a user set stays, except that a resolved issue reopens when it is found again.
 */
const nextStatus = `CASE
  WHEN ${setAside} IS NULL AND i.status = 'RESOLVED' THEN 'OPEN'
  WHEN i.set_aside IS NOT NULL AND i.status = i.set_aside AND i.status_set_by IS NULL THEN coalesce(${setAside}, 'OPEN')
  WHEN i.set_aside IS NULL AND ${setAside} IS NOT NULL AND i.status = 'OPEN' THEN ${setAside}
  ELSE i.status END`;

const contextChanges = `before.context <> '' AND f.context NOT IN ('', before.context)`;

/** A severity that a user set stays, with the scan's beside it. An empty context leaves the previous one. */
const followNewest = statement(
  'issues.follow-newest',
  `WITH found AS (
     SELECT * FROM json_to_recordset($3::json) AS f(${rowColumns})
   ), before AS (
     SELECT id, identity, status, severity, context FROM issues
      WHERE organization_id = $1 AND identity = ANY(ARRAY(SELECT identity FROM found))
      ORDER BY identity FOR NO KEY UPDATE
   ), kept AS (
     INSERT INTO issue_activities (id, issue_id, organization_id, kind, from_value, actor_kind)
     SELECT f.activity_id, before.id, $1, 'CONTEXT', left(before.context, ${keptContext}), 'SYSTEM'
       FROM before JOIN found f USING (identity) WHERE ${contextChanges}
   )
   UPDATE issues i
      SET scan_id = $2, updated_at = now(), set_aside = ${setAside}, status = ${nextStatus},
          status_set_by = CASE WHEN i.status = ${nextStatus} THEN i.status_set_by END,
          severity = CASE WHEN i.severity_set_by IS NULL THEN f.severity ELSE i.severity END,
          tool_severity = CASE WHEN i.severity_set_by IS NOT NULL THEN f.severity END,
          context = CASE WHEN ${contextChanges} OR before.context = '' THEN f.context ELSE i.context END,
          full_name = CASE WHEN i.severity_set_by IS NULL AND i.full_name = i.name || ' (' || lower(i.severity) || ' risk)'
                           THEN i.name || ' (' || lower(f.severity) || ' risk)' ELSE i.full_name END
     FROM before JOIN found f USING (identity)
    WHERE i.id = before.id
   RETURNING i.id, i.identity, before.status AS "statusBefore", before.severity AS "severityBefore", i.status, i.severity,
             ${contextChanges} AS "contextKept"`,
);

const joinScan = statement(
  'issues.join-scan',
  `INSERT INTO issue_scans (issue_id, scan_id) SELECT issue, $1 FROM unnest($2::uuid[]) AS issue ORDER BY issue
   ON CONFLICT DO NOTHING`,
);

@Injectable()
export class IssueAppendsRepository {
  constructor(private readonly database: Database) {}

  /** An asset among these that does not belong to the organization, or null. */
  async foreignAsset(organizationId: string, assetIds: string[]): Promise<string | null> {
    const row = await this.database.row<{ id: string }>(foreignAsset, [organizationId, assetIds]);
    return row?.id ?? null;
  }

  /**
   * Inserts the issues that do not exist yet, with their targets and the activity of their discovery; returns their ids by
   * identity.
   */
  async insertNew(organizationId: string, scanId: string, rows: EncodedRow[]): Promise<Map<string, string>> {
    const targets = rows.flatMap(({ targetsJson }) => (targetsJson === '' ? [] : targetsJson));
    const values = [organizationId, scanId, arrayOf(rows), `[${targets.join(',')}]`];
    const made = await this.database.rows<{ id: string; identity: string }>(insertNew, values);
    return new Map(made.map(({ identity, id }) => [identity, id]));
  }

  /** Updates existing issues to what the newest scan found. */
  followNewest(organizationId: string, scanId: string, rows: EncodedRow[]): Promise<FoundAgain[]> {
    return this.database.rows<FoundAgain>(followNewest, [organizationId, scanId, arrayOf(rows)]);
  }

  /** Records that the scan found issues that existed before. */
  async joinScan(scanId: string, issueIds: string[]): Promise<void> {
    await this.database.execute(joinScan, [scanId, issueIds]);
  }
}

/** The rows as JSON; their targets go to another table. */
function arrayOf(rows: EncodedRow[]): string {
  return `[${rows.map(({ rowJson }) => rowJson).join(',')}]`;
}
