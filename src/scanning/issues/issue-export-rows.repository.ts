import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { FilteredStatement } from '../../database/filtered-statement.js';
import { Searches } from '../../database/searches.js';
import type { IssueCategory, IssueSeverity, IssueStatus } from '../vocabulary.js';
import type { FoundIdentifier, FoundPlace } from './finding-detail.js';
import { issuePlace } from './issue-place.statements.js';
import { isSearch, type IssueFilters, issueFilters, lastSeenAt, toolOfIssue } from './issue-filters.statements.js';

/** An issue as exports have it, with the texts of its newest report, bounded. */
export interface IssueExportRow {
  id: string;
  name: string;
  fullName: string;
  severity: IssueSeverity;
  category: IssueCategory;
  status: IssueStatus;
  createdAt: Date;
  lastSeenAt: Date;
  context: string;
  /** The rule's id. */
  rule: string;
  ruleName: string | null;
  ruleHelp: string | null;
  assetId: string;
  assetName: string;
  assetUri: string;
  tool: string | null;
  place: string | null;
  location: FoundPlace | null;
  identifiers: FoundIdentifier[];
  message: string | null;
  score: number | null;
  /** When it became what it is, where it is no longer open. */
  settledAt: Date | null;
  settledBy: string | null;
  why: string | null;
}

export interface IssueExportCount {
  severity: IssueSeverity;
  status: IssueStatus;
  count: number;
}

const longestText = 4_000;

/** The last change to the status that the issue has. */
const settled = `
  LEFT JOIN LATERAL (
    SELECT y.created_at, coalesce(u.username, y.actor_key_name, CASE y.actor_kind WHEN 'SYSTEM' THEN 'a scan' END) AS by,
           left(y.comment, ${longestText}) AS comment
      FROM issue_activities y LEFT JOIN users u ON u.id = y.actor_user_id AND u.deleted_at IS NULL
     WHERE y.issue_id = i.id AND y.kind = 'STATUS' AND y.to_value = i.status
     ORDER BY y.created_at DESC, y.id DESC LIMIT 1) AS settled
    ON i.status IN ('RESOLVED', 'IGNORED', 'FALSE_POSITIVE')`;

const page = new FilteredStatement(
  'issues.export-page',
  issueFilters,
  (conditions) => `
  SELECT i.id, left(i.name, ${longestText}) AS name, left(i.full_name, ${longestText}) AS "fullName", i.severity,
         i.category, i.status, i.created_at AS "createdAt", ${lastSeenAt} AS "lastSeenAt",
         left(i.context, ${longestText}) AS context, i.security_test_uid AS rule,
         left(r.rule->>'name', 500) AS "ruleName", left(r.rule->>'helpUri', 2000) AS "ruleHelp",
         i.asset_id AS "assetId", a.name AS "assetName", a.uri AS "assetUri",
         ${toolOfIssue} AS tool,
         ${issuePlace('i.id')} AS place, d.detail #> '{locations,0}' AS location,
         coalesce(d.detail->'identifiers', '[]') AS identifiers, left(d.detail->>'message', ${longestText}) AS message,
         (d.detail->>'score')::double precision AS score,
         settled.created_at AS "settledAt", settled.by AS "settledBy", settled.comment AS why
    FROM (SELECT i.* FROM issues i
           WHERE i.organization_id = $1 AND (i.created_at, i.id) < ($2, $3)${conditions}
           ORDER BY i.created_at DESC, i.id DESC LIMIT $4) AS i
    JOIN assets a ON a.id = i.asset_id
    LEFT JOIN issue_details d ON d.issue_id = i.id
    LEFT JOIN issue_rules r ON r.organization_id = i.organization_id AND r.digest = d.rule_digest
    ${settled}
   ORDER BY i.created_at DESC, i.id DESC`,
);

const counts = new FilteredStatement(
  'issues.export-counts',
  issueFilters,
  (conditions) => `
  SELECT i.severity, i.status, count(*)::integer AS count FROM issues i
   WHERE i.organization_id = $1${conditions} GROUP BY i.severity, i.status`,
);

/** Reads issues for exports, a page at a time. */
@Injectable()
export class IssueExportRowsRepository {
  constructor(
    private readonly database: Database,
    private readonly searches: Searches,
  ) {}

  /** Up to so many issues after a position, newest first. */
  page(
    organizationId: string,
    after: readonly unknown[],
    limit: number,
    given: IssueFilters,
  ): Promise<IssueExportRow[]> {
    const { statement: sql, values } = page.of([organizationId, ...after, limit], given);
    if (!isSearch('created', given)) return this.database.rows<IssueExportRow & Record<string, unknown>>(sql, values);
    return this.searches.rows<IssueExportRow & Record<string, unknown>>(organizationId, sql, values);
  }

  async organizationName(organizationId: string): Promise<string> {
    const sql = 'SELECT name FROM organizations WHERE id = $1';
    return (await this.database.row<{ name: string }>(sql, [organizationId]))?.name ?? '';
  }

  /** How many issues there are of each severity and status. */
  counts(organizationId: string, given: IssueFilters): Promise<IssueExportCount[]> {
    const { statement: sql, values } = counts.of([organizationId], given);
    return this.searches.rows<IssueExportCount & Record<string, unknown>>(organizationId, sql, values);
  }
}
