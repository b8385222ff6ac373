import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database.js';
import type { ScanContext } from '../scans/scan-context.js';
import type { IssueSeverity, IssueStatus } from '../vocabulary.js';
import type { EncodedRow, Renaming } from './finding-rows.js';
import { dueByPolicy, policyOf } from './issue-policy.statements.js';

/** The scan that appended issues belong to. */
type WritingScan = Pick<ScanContext, 'id' | 'organizationId' | 'tool' | 'sightings'>;

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
  /** Whether it follows the scan, which only the branch that decides can make it do once it is the organization's. */
  leads: boolean;
  /** Whether it is the organization's since now: only other branches had it before. */
  arrives: boolean;
  /** Whether a newer commit was scanned before. */
  late: boolean;
}

/** A new issue. */
export interface MadeIssue {
  id: string;
  identity: string;
  assigneeId: string | null;
}

/** The characters of a replaced context that its activity keeps. */
const keptContext = 10_000;

const rowColumns = `id uuid, activity_id uuid, identity text, asset_id uuid, name text, full_name text, severity text,
  category text, status text, context text, alert_uid text, security_test_uid text, rule_digest text, detail jsonb`;

/** The branches of the scan's assets; none for a scan without a branch, which decides. */
const seen = (parameter: string): string => `seen AS MATERIALIZED (
     SELECT * FROM json_to_recordset(${parameter}::json) AS s("assetId" uuid, "branchId" uuid, decides boolean, late boolean))`;

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
   ), ${seen('$6')}, ${policyOf('found')}, made AS (
     INSERT INTO issues (id, identity, organization_id, scan_id, asset_id, name, full_name, severity, category, status,
                         set_aside, context, alert_uid, security_test_uid, last_seen_at, tool, due_at, assignee_id, branch_only)
     SELECT f.id, f.identity, $1, $2, f.asset_id, f.name, f.full_name, f.severity, f.category, f.status,
            nullif(f.status, 'OPEN'), f.context, f.alert_uid, f.security_test_uid, now(), $5::text, ${dueByPolicy('f')},
            takers.user_id, NOT coalesce(s.decides, true)
       FROM found f LEFT JOIN policy ON true LEFT JOIN takers ON takers.asset_id = f.asset_id
            LEFT JOIN seen s ON s."assetId" = f.asset_id
      ORDER BY f.identity
     ON CONFLICT (organization_id, identity) DO NOTHING
     RETURNING id, identity, asset_id, status, assignee_id
   ), branched AS (
     INSERT INTO issue_branches (issue_id, branch_id, last_seen_at, present)
     SELECT made.id, s."branchId", now(), NOT s.late FROM made JOIN seen s ON s."assetId" = made.asset_id
      WHERE s."branchId" IS NOT NULL
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
   SELECT id, identity, assignee_id AS "assigneeId" FROM made`,
);

/**
 * Gives issues the identity by which findings are known from now on, where there is none of it yet. Each issue becomes one
 * finding, and each finding has one issue.
 */
const rename = statement(
  'issues.rename',
  `WITH known AS MATERIALIZED (
     SELECT DISTINCT ON (f.identity) i.id, f.identity
       FROM (SELECT former, identity, row_number() OVER () AS rank
               FROM json_to_recordset($2::json) AS f(former text, identity text)) AS f
       JOIN issues i ON i.organization_id = $1 AND i.identity = f.former
      WHERE NOT EXISTS (SELECT FROM issues n WHERE n.organization_id = $1 AND n.identity = f.identity)
      ORDER BY f.identity, f.rank
   ), chosen AS MATERIALIZED (
     SELECT DISTINCT ON (id) id, identity FROM known ORDER BY id, identity
   ), locked AS MATERIALIZED (
     SELECT i.id FROM issues i WHERE i.id IN (SELECT id FROM chosen) ORDER BY i.identity FOR UPDATE
   )
   UPDATE issues i SET identity = c.identity, security_test_uid = t.uid
     FROM chosen c JOIN locked USING (id)
     JOIN json_to_recordset($3::json) AS t(identity text, uid text) USING (identity)
    WHERE i.id = c.id`,
);

/** The status by which the scan sets the issue aside. Within one scan, an open finding outweighs those set aside. */
const setAside = `CASE WHEN i.scan_id = $2 AND i.set_aside IS NULL THEN NULL ELSE nullif(f.status, 'OPEN') END`;

/**
 * A scanner that newly sets an open issue aside closes it; one that stops doing so reopens an issue that was closed this way.
 * A status that a user set stays, except that a resolved issue reopens when it is found again.
 */
const nextStatus = `CASE
  WHEN v.late THEN i.status
  WHEN ${setAside} IS NULL AND i.status = 'RESOLVED' THEN 'OPEN'
  WHEN i.set_aside IS NOT NULL AND i.status = i.set_aside AND i.status_set_by IS NULL THEN coalesce(${setAside}, 'OPEN')
  WHEN i.set_aside IS NULL AND ${setAside} IS NOT NULL AND i.status = 'OPEN' THEN ${setAside}
  ELSE i.status END`;

const contextChanges = `before.context <> '' AND f.context NOT IN ('', before.context)`;

/**
 * A severity that a user set stays, with the scan's beside it. An empty context leaves the previous one. An issue of the
 * organization follows only what decides: another branch, whose base may be old, is recorded beside it.
 */
const followNewest = statement(
  'issues.follow-newest',
  `WITH found AS (
     SELECT * FROM json_to_recordset($3::json) AS f(${rowColumns})
   ), ${seen('$5')}, before AS (
     SELECT id, identity, asset_id, status, severity, context, branch_only FROM issues
      WHERE organization_id = $1 AND identity = ANY(ARRAY(SELECT identity FROM found))
      ORDER BY identity FOR NO KEY UPDATE
   ), viewed AS MATERIALIZED (
     SELECT before.id, s."branchId" AS branch_id, coalesce(s.late, false) AS late, coalesce(s.decides, true) AS decides,
            before.branch_only AND coalesce(s.decides, true) AS arrives,
            CASE WHEN before.branch_only THEN coalesce(s.decides, true) OR NOT s.late
                 ELSE coalesce(s.decides AND NOT s.late, true) END AS leads
       FROM before LEFT JOIN seen s ON s."assetId" = before.asset_id
   ), branched AS (
     INSERT INTO issue_branches AS x (issue_id, branch_id, last_seen_at, present)
     SELECT id, branch_id, now(), NOT late FROM viewed WHERE branch_id IS NOT NULL
     ON CONFLICT (issue_id, branch_id) DO UPDATE SET last_seen_at = excluded.last_seen_at, present = true
       WHERE excluded.present
   ), kept AS (
     INSERT INTO issue_activities (id, issue_id, organization_id, kind, from_value, actor_kind)
     SELECT f.activity_id, before.id, $1, 'CONTEXT', left(before.context, ${keptContext}), 'SYSTEM'
       FROM before JOIN found f USING (identity) JOIN viewed v ON v.id = before.id WHERE v.leads AND ${contextChanges}
   ), followed AS (
   UPDATE issues i
      SET scan_id = $2, updated_at = now(), last_seen_at = now(), tool = coalesce($4::text, i.tool),
          branch_only = i.branch_only AND NOT v.decides, set_aside = ${setAside}, status = ${nextStatus},
          status_set_by = CASE WHEN i.status = ${nextStatus} THEN i.status_set_by END,
          severity = CASE WHEN i.severity_set_by IS NULL THEN f.severity ELSE i.severity END,
          tool_severity = CASE WHEN i.severity_set_by IS NOT NULL THEN f.severity END,
          context = CASE WHEN ${contextChanges} OR before.context = '' THEN f.context ELSE i.context END,
          full_name = CASE WHEN i.severity_set_by IS NULL AND i.full_name = i.name || ' (' || lower(i.severity) || ' risk)'
                           THEN i.name || ' (' || lower(f.severity) || ' risk)' ELSE i.full_name END
     FROM before JOIN found f USING (identity) JOIN viewed v ON v.id = before.id
    WHERE i.id = before.id AND v.leads
   RETURNING i.id, i.status, i.severity, ${contextChanges} AS "contextKept"
   )
   SELECT before.id, before.identity, before.status AS "statusBefore", before.severity AS "severityBefore",
          coalesce(n.status, before.status) AS status, coalesce(n.severity, before.severity) AS severity,
          coalesce(n."contextKept", false) AS "contextKept", v.leads, v.arrives, v.late
     FROM before JOIN viewed v USING (id) LEFT JOIN followed n USING (id)`,
);

const joinScan = statement(
  'issues.join-scan',
  `INSERT INTO issue_scans (issue_id, scan_id) SELECT issue, $1 FROM unnest($2::uuid[]) AS issue ORDER BY issue
   ON CONFLICT DO NOTHING`,
);

/** The members among the users $2, who stay members until the unit of work ends. */
const members = statement(
  'issues.appended-members',
  'SELECT user_id AS id FROM organization_members WHERE organization_id = $1 AND user_id = ANY($2::uuid[]) ORDER BY user_id FOR KEY SHARE',
);

/** Takes the issues that this transaction made from users who left meanwhile; `created_at` is its beginning. */
const unassignNew = statement(
  'issues.unassign-new',
  `UPDATE issues SET assignee_id = NULL
    WHERE organization_id = $1 AND assignee_id = ANY($2::uuid[]) AND created_at >= now() - interval '1 millisecond'`,
);

@Injectable()
export class IssueAppendsRepository {
  constructor(private readonly database: Database) {}

  /** An asset among these that does not belong to the organization, or null. */
  async foreignAsset(organizationId: string, assetIds: string[]): Promise<string | null> {
    const row = await this.database.row<{ id: string }>(foreignAsset, [organizationId, assetIds]);
    return row?.id ?? null;
  }

  /** Inserts the issues that do not exist yet, with their targets and the activity of their discovery; returns them. */
  insertNew(scan: WritingScan, rows: EncodedRow[]): Promise<MadeIssue[]> {
    const { id, organizationId, tool = null, sightings = [] } = scan;
    const targets = rows.flatMap(({ targetsJson }) => (targetsJson === '' ? [] : targetsJson));
    const own = [organizationId, id, arrayOf(rows), `[${targets.join(',')}]`];
    const values = [...own, tool, JSON.stringify(sightings)];
    return this.database.rows<MadeIssue & object>(insertNew, values);
  }

  /** Gives issues of former identities the present ones of the rows. */
  async rename(organizationId: string, renamings: Renaming[], rows: EncodedRow[]): Promise<void> {
    if (renamings.length === 0) return;
    const tests = rows.map(({ row: { identity, security_test_uid: uid } }) => ({ identity, uid }));
    await this.database.execute(rename, [organizationId, JSON.stringify(renamings), JSON.stringify(tests)]);
  }

  /** Updates existing issues to what the newest scan found. */
  followNewest(scan: WritingScan, rows: EncodedRow[]): Promise<FoundAgain[]> {
    const { id, organizationId, tool = null, sightings = [] } = scan;
    const values = [organizationId, id, arrayOf(rows), tool, JSON.stringify(sightings)];
    return this.database.rows<FoundAgain>(followNewest, values);
  }

  /** The members among these users, whom nobody removes until the unit of work ends. */
  async members(organizationId: string, userIds: string[]): Promise<string[]> {
    return (await this.database.rows<{ id: string }>(members, [organizationId, userIds])).map(({ id }) => id);
  }

  /** Takes the issues that the current unit of work made from these users. */
  async unassignNew(organizationId: string, userIds: string[]): Promise<void> {
    await this.database.execute(unassignNew, [organizationId, userIds]);
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
