import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database.js';
import type { IssueSeverity, IssueStatus } from '../vocabulary.js';
import type { FindingRow } from './finding-rows.js';

/** An issue that was there before, as it was and as it is now. */
export interface FoundAgain {
  id: string;
  identity: string;
  statusBefore: IssueStatus;
  severityBefore: IssueSeverity;
  status: IssueStatus;
  severity: IssueSeverity;
}

const rowColumns = `id uuid, identity text, asset_id uuid, name text, full_name text, severity text, category text,
  status text, context text, alert_uid text, security_test_uid text`;

const foreignAsset = statement(
  'issues.foreign-asset',
  `SELECT given AS id FROM unnest($2::uuid[]) AS given
    WHERE NOT EXISTS (SELECT FROM assets WHERE organization_id = $1 AND id = given) LIMIT 1`,
);

// Rows are taken in the order of identities throughout, so that two appends of the same issues take turns.
const insertNew = statement(
  'issues.insert-new',
  `INSERT INTO issues (id, identity, organization_id, scan_id, asset_id, name, full_name, severity, category, status,
                       context, alert_uid, security_test_uid)
   SELECT f.id, f.identity, $1, $2, f.asset_id, f.name, f.full_name, f.severity, f.category, f.status,
          f.context, f.alert_uid, f.security_test_uid
     FROM json_to_recordset($3::json) AS f(${rowColumns})
    ORDER BY f.identity
   ON CONFLICT (organization_id, identity) DO NOTHING
   RETURNING id, identity`,
);

const followNewest = statement(
  'issues.follow-newest',
  `WITH found AS (
     SELECT * FROM json_to_recordset($3::json) AS f(${rowColumns})
   ), before AS (
     SELECT id, identity, status, severity FROM issues
      WHERE organization_id = $1 AND identity = ANY(ARRAY(SELECT identity FROM found))
      ORDER BY identity FOR NO KEY UPDATE
   )
   UPDATE issues i
      SET scan_id = $2, updated_at = now(), severity = f.severity,
          status = CASE WHEN before.status = 'RESOLVED' AND f.status = 'OPEN' THEN 'OPEN' ELSE i.status END,
          full_name = CASE WHEN i.full_name = i.name || ' (' || lower(i.severity) || ' risk)'
                           THEN i.name || ' (' || lower(f.severity) || ' risk)' ELSE i.full_name END
     FROM before JOIN found f USING (identity)
    WHERE i.id = before.id
   RETURNING i.id, i.identity, before.status AS "statusBefore", before.severity AS "severityBefore", i.status, i.severity`,
);

const joinScan = statement(
  'issues.join-scan',
  `INSERT INTO issue_scans (issue_id, scan_id) SELECT issue, $1 FROM unnest($2::uuid[]) AS issue ORDER BY issue
   ON CONFLICT DO NOTHING`,
);

/** A target that is known keeps its ids; its details are the newest. */
const joinTargets = statement(
  'issues.join-targets',
  `INSERT INTO issue_targets AS t (id, issue_id, target_uid, scan_id, detail)
   SELECT g.id, g.issue_id, g.target_uid, $1, g.detail
     FROM json_to_recordset($2::json) AS g(id uuid, issue_id uuid, target_uid text, detail jsonb)
    ORDER BY g.issue_id, md5(g.target_uid)
   ON CONFLICT (issue_id, md5(target_uid)) DO UPDATE
      SET scan_id = EXCLUDED.scan_id,
          detail = (SELECT jsonb_object_agg(key, CASE WHEN t.detail ? key
                                                      THEN value || jsonb_build_object('id', t.detail -> key -> 'id')
                                                      ELSE value END)
                      FROM jsonb_each(EXCLUDED.detail))`,
);

@Injectable()
export class IssueAppendsRepository {
  constructor(private readonly database: Database) {}

  /** One of the assets that is not the organization's, or null. */
  async foreignAsset(organizationId: string, assetIds: string[]): Promise<string | null> {
    const row = await this.database.row<{ id: string }>(foreignAsset, [organizationId, assetIds]);
    return row?.id ?? null;
  }

  /** Inserts the issues that are not there yet; answers their ids by identity. */
  async insertNew(organizationId: string, scanId: string, rows: FindingRow[]): Promise<Map<string, string>> {
    const values = [organizationId, scanId, withoutTargets(rows)];
    const made = await this.database.rows<{ id: string; identity: string }>(insertNew, values);
    return new Map(made.map(({ identity, id }) => [identity, id]));
  }

  /** Brings issues that are there up to what the newest scan found. */
  followNewest(organizationId: string, scanId: string, rows: FindingRow[]): Promise<FoundAgain[]> {
    return this.database.rows<FoundAgain>(followNewest, [organizationId, scanId, withoutTargets(rows)]);
  }

  async joinScan(scanId: string, issueIds: string[]): Promise<void> {
    await this.database.execute(joinScan, [scanId, issueIds]);
  }

  /** Joins the targets of the rows to their issues. */
  async joinTargets(scanId: string, rows: { issueId: string; row: FindingRow }[]): Promise<void> {
    const targets = rows.flatMap(({ issueId, row }) => row.targets.map((target) => ({ issue_id: issueId, ...target })));
    if (targets.length > 0) await this.database.execute(joinTargets, [scanId, JSON.stringify(targets)]);
  }
}

/** The rows as JSON; their targets go to a table of their own. */
function withoutTargets(rows: FindingRow[]): string {
  return JSON.stringify(rows.map((row) => ({ ...row, targets: undefined })));
}
