import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database.js';
import { FilteredStatement, type Given } from '../../database/filtered-statement.js';
import type { IssueSeverity, IssueStatus } from '../vocabulary.js';
import { issueColumns, issueTables, issueTargets } from './issue-json.js';
import type { Issue, IssueSummary } from './issues.shapes.js';

/** What people change of an issue. */
export interface IssueState {
  status: IssueStatus;
  severity: IssueSeverity;
}

function foundBy(scans: string): string {
  return `EXISTS (SELECT FROM issue_scans x ${scans})`;
}

/** `search` walks the organization's issues, newest first: found again, they stay one, so there are few of them. */
const page = new FilteredStatement(
  'issues.page',
  {
    severities: (values) => `i.severity = ANY(${values}::text[])`,
    categories: (values) => `i.category = ANY(${values}::text[])`,
    statuses: (values) => `i.status = ANY(${values}::text[])`,
    assetIds: (values) => `i.asset_id = ANY(${values}::uuid[])`,
    scanIds: (values) => foundBy(`WHERE x.issue_id = i.id AND x.scan_id = ANY(${values}::uuid[])`),
    profileIds: (values) =>
      foundBy(`JOIN scans y ON y.id = x.scan_id WHERE x.issue_id = i.id AND y.application_id = ANY(${values}::uuid[])`),
    search: (pattern) => `(i.name ILIKE ${pattern} OR i.full_name ILIKE ${pattern} OR i.context ILIKE ${pattern})`,
  },
  4,
  (conditions) =>
    `SELECT ${issueColumns} FROM ${issueTables}
      WHERE i.organization_id = $1 AND (i.created_at, i.id) < ($2, $3)${conditions}
      ORDER BY i.created_at DESC, i.id DESC LIMIT $4`,
);
export type IssueFilters = Given<
  'severities' | 'categories' | 'statuses' | 'assetIds' | 'scanIds' | 'profileIds' | 'search'
>;

const byId = statement(
  'issues.by-id',
  `SELECT ${issueColumns}, ${issueTargets} AS targets FROM ${issueTables}
    WHERE i.organization_id = $1 AND i.id = $2`,
);

const isThere = statement('issues.is-there', 'SELECT FROM issues WHERE organization_id = $1 AND id = $2');

const stateForUpdate = statement(
  'issues.state-for-update',
  'SELECT status, severity FROM issues WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE',
);

const update = statement(
  'issues.update',
  `UPDATE issues
      SET status = $3, severity = $4, updated_at = now(),
          full_name = CASE WHEN full_name = name || ' (' || lower(severity) || ' risk)'
                           THEN name || ' (' || lower($4) || ' risk)' ELSE full_name END
    WHERE organization_id = $1 AND id = $2`,
);

@Injectable()
export class IssuesRepository {
  constructor(private readonly database: Database) {}

  page(organizationId: string, after: unknown[], limit: number, filters: IssueFilters): Promise<IssueSummary[]> {
    const { statement: sql, values } = page.of([organizationId, ...after, limit], filters);
    return this.database.rows<IssueSummary>(sql, values);
  }

  byId(organizationId: string, id: string): Promise<Issue | null> {
    return this.database.row<Issue>(byId, [organizationId, id]);
  }

  async isThere(organizationId: string, id: string): Promise<boolean> {
    return (await this.database.row(isThere, [organizationId, id])) !== null;
  }

  /** An issue's status and severity, which no other unit of work can change before this one ends. */
  stateForUpdate(organizationId: string, id: string): Promise<IssueState | null> {
    return this.database.row<IssueState & Record<string, unknown>>(stateForUpdate, [organizationId, id]);
  }

  async update(organizationId: string, id: string, { status, severity }: IssueState): Promise<void> {
    await this.database.execute(update, [organizationId, id, status, severity]);
  }

  /** Removes the issues of organizations that are about to go. */
  async removeOf(organizationIds: string[]): Promise<void> {
    await this.database.execute('DELETE FROM issues WHERE organization_id = ANY($1::uuid[])', [organizationIds]);
  }
}
