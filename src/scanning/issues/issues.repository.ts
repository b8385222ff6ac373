import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import type { Bounded } from '../../database/bounded-rows.js';
import { boundedRows } from '../../database/bounded-rows.statements.js';
import { Database, statement } from '../../database/database.js';
import { Searches } from '../../database/searches.js';
import { FilteredStatement, type Given } from '../../database/filtered-statement.js';
import { boundedCount, madeBetween } from '../counted-lists.statements.js';
import { issueColumns, issueTables } from './issues.statements.js';
import { IssueEntity } from './issue.entity.js';
import { firstTargets } from './issue-targets.repository.js';
import type { IssueDetailRow } from './issue-detail.mapper.js';
import type { IssueSummary } from './issues.dto.js';

// Unspecified: how many targets an issue shows. The first hundred; GET /issues/{id}/targets pages through all.
const shownTargets = 100;

function foundBy(scans: string): string {
  return `EXISTS (SELECT FROM issue_scans x ${scans})`;
}

/** `search` walks the organization's issues, newest first. A finding that returns stays one issue, so there are few. */
const filters = {
  severities: (values: string) => `i.severity = ANY(${values}::text[])`,
  categories: (values: string) => `i.category = ANY(${values}::text[])`,
  statuses: (values: string) => `i.status = ANY(${values}::text[])`,
  assetIds: (values: string) => `i.asset_id = ANY(${values}::uuid[])`,
  scanIds: (values: string) => foundBy(`WHERE x.issue_id = i.id AND x.scan_id = ANY(${values}::uuid[])`),
  profileIds: (values: string) =>
    foundBy(`JOIN scans y ON y.id = x.scan_id WHERE x.issue_id = i.id AND y.application_id = ANY(${values}::uuid[])`),
  search: (pattern: string) =>
    `(i.name ILIKE ${pattern} OR i.full_name ILIKE ${pattern} OR i.context ILIKE ${pattern})`,
  ...madeBetween('i'),
};
export type IssueFilters = Given<keyof typeof filters>;

const page = new FilteredStatement('issues.page', filters, (conditions) =>
  boundedRows(
    `SELECT ${issueColumns} FROM ${issueTables}
        WHERE i.organization_id = $1 AND (i.created_at, i.id) < ($2, $3)${conditions}
        ORDER BY i.created_at DESC, i.id DESC LIMIT $4`,
    'e."createdAt" DESC, e.id DESC',
    'octet_length(e.context) + octet_length(e.asset::text)',
  ),
);
export type IssueRow = IssueSummary & Bounded;

const total = new FilteredStatement('issues.total', filters, (conditions) =>
  boundedCount(`issues i WHERE i.organization_id = $1${conditions}`),
);

const byId = statement(
  'issues.by-id',
  `SELECT ${issueColumns}, ${firstTargets('i', shownTargets)} AS targets, d.detail, r.rule
     FROM ${issueTables}
     LEFT JOIN issue_details d ON d.issue_id = i.id
     LEFT JOIN issue_rules r ON r.organization_id = i.organization_id AND r.digest = d.rule_digest
    WHERE i.organization_id = $1 AND i.id = $2`,
);

@Injectable()
export class IssuesRepository {
  constructor(
    private readonly database: Database,
    private readonly searches: Searches,
    @InjectRepository(IssueEntity) private readonly issues: Repository<IssueEntity>,
  ) {}

  page(organizationId: string, after: unknown[], limit: number, given: IssueFilters): Promise<IssueRow[]> {
    const { statement: sql, values } = page.of([organizationId, ...after, limit], given);
    if (given.search !== undefined) return this.searches.rows<IssueRow>(organizationId, sql, values);
    return this.database.rows<IssueRow>(sql, values);
  }

  /** The number of matches, counted up to the bound of lists. */
  async total(organizationId: string, given: IssueFilters): Promise<number> {
    const { statement: sql, values } = total.of([organizationId], given);
    const [row] = await this.searches.rows<{ totalCount: number }>(organizationId, sql, values);
    return row?.totalCount ?? 0;
  }

  byId(organizationId: string, id: string): Promise<IssueDetailRow | null> {
    return this.database.row<IssueDetailRow & Record<string, unknown>>(byId, [organizationId, id]);
  }

  exists(organizationId: string, id: string): Promise<boolean> {
    return this.issues.existsBy({ organizationId, id });
  }

  /** Deletes the issues of organizations that are about to be deleted. */
  async removeOf(organizationIds: string[]): Promise<void> {
    await this.issues.delete({ organizationId: In(organizationIds) });
  }
}
