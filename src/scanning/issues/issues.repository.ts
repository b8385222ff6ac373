import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import type { Bounded } from '../../database/bounded-rows.js';
import { boundedRows } from '../../database/bounded-rows.statements.js';
import { Database, statement } from '../../database/database.js';
import { Searches } from '../../database/searches.js';
import { FilteredStatement } from '../../database/filtered-statement.js';
import { boundedCount } from '../counted-lists.statements.js';
import { type IssueSort, issueSorts } from './issue-filter.dto.js';
import {
  dueAt,
  epssRank,
  type IssueFilterName,
  type IssueFilters,
  issueFilters,
  issuesOfBranch,
  isSearch,
  lastSeenAt,
  severityRank,
} from './issue-filters.statements.js';
import type { SortKey } from './issue-sorts.js';
import { issueBranches, issueColumns, issueTables } from './issues.statements.js';
import { IssueEntity } from './issue.entity.js';
import { firstTargets } from './issue-targets.repository.js';
import type { IssueDetailRow } from './issue-detail.mapper.js';
import type { IssueSummary } from './issues.dto.js';

// Unspecified: how many targets an issue shows. The first hundred; GET /issues/{id}/targets pages through all.
const shownTargets = 100;

// Unspecified: how many branches an issue shows: the default one, then those that have it, the last seen ones first.
const shownBranches = 100;

/** The orders of the list, each by an index: its keys, which the cursor repeats, and whether they go down. */
const orders: Record<IssueSort, { keys: string[]; down: boolean }> = {
  created: { keys: ['i.created_at'], down: true },
  severity: { keys: [severityRank, 'i.created_at'], down: true },
  'last-seen': { keys: [lastSeenAt], down: true },
  due: { keys: [dueAt], down: false },
  epss: { keys: [epssRank, 'i.created_at'], down: true },
};

/** A page of the list in an order, after the keys and the id of the last issue before it. */
function pageIn(sort: IssueSort): FilteredStatement<IssueFilterName> {
  const { keys, down } = orders[sort];
  const [way, beyond] = down ? ['DESC', '<'] : ['ASC', '>'];
  const parameters = [...keys, 'i.id'].map((_, at) => `$${at + 3}`);
  return new FilteredStatement(`issues.page-${sort}`, issueFilters, (conditions) =>
    boundedRows(
      `SELECT ${issueColumns}, ${keys.map((key, at) => `${key} AS key${at}`).join(', ')} FROM ${issueTables}
        WHERE i.organization_id = $1 AND (${[...keys, 'i.id'].join(', ')}) ${beyond} (${parameters.join(', ')})${conditions}
        ORDER BY ${[...keys, 'i.id'].map((key) => `${key} ${way}`).join(', ')} LIMIT $2`,
      [...keys.map((_, at) => `e.key${at}`), 'e.id'].map((key) => `${key} ${way}`).join(', '),
      'octet_length(e.context) + octet_length(e.asset::text)',
    ),
  );
}

export const pages = Object.fromEntries(issueSorts.map((sort) => [sort, pageIn(sort)])) as Record<
  IssueSort,
  FilteredStatement<IssueFilterName>
>;

/** An issue of a page, with the keys of its place in the order. */
export type IssueRow = IssueSummary & Bounded & { key0: SortKey; key1?: SortKey };

const total = new FilteredStatement('issues.total', issueFilters, (conditions) =>
  boundedCount(`issues i WHERE i.organization_id = $1${conditions}`),
);

/** A branch with so many issues, as the default one has, is found by walking the organization's in their order. */
const mostOfBranch = 10_000;

const sizeOfBranch = statement(
  'issues.size-of-branch',
  `SELECT count(*)::integer AS size FROM (${issuesOfBranch('$2')} LIMIT $3) AS bounded`,
);

const byId = statement(
  'issues.by-id',
  `SELECT ${issueColumns}, ${firstTargets('i', shownTargets)} AS targets, ${issueBranches('i', shownBranches)} AS branches,
          d.detail, r.rule, coalesce(a.source_url, a.repository ->> 'url') AS "sourceUrl", s.commit_id AS commit, s.branch
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

  /** A page in an order; one that no index of that order answers is a search. */
  async page(
    organizationId: string,
    sort: IssueSort,
    after: unknown[],
    limit: number,
    given: IssueFilters,
  ): Promise<IssueRow[]> {
    const narrowed = await this.narrowed(organizationId, given);
    const { statement: sql, values } = pages[sort].of([organizationId, limit, ...after], narrowed);
    if (isSearch(sort, narrowed)) return this.searches.rows<IssueRow>(organizationId, sql, values);
    return this.database.rows<IssueRow>(sql, values);
  }

  /** The number of matches, counted up to the bound of lists. */
  async total(organizationId: string, given: IssueFilters): Promise<number> {
    const { statement: sql, values } = total.of([organizationId], await this.narrowed(organizationId, given));
    const [row] = await this.searches.rows<{ totalCount: number }>(organizationId, sql, values);
    return row?.totalCount ?? 0;
  }

  /** The filters, reading a small branch's issues from the branch's side. */
  async narrowed(organizationId: string, given: IssueFilters): Promise<IssueFilters> {
    const { branch, ...others } = given;
    if (branch === undefined) return given;
    const row = await this.database.row<{ size: number }>(sizeOfBranch, [organizationId, branch, mostOfBranch]);
    return (row?.size ?? 0) < mostOfBranch ? { ...others, smallBranch: branch } : given;
  }

  byId(organizationId: string, id: string): Promise<IssueDetailRow | null> {
    return this.database.row<IssueDetailRow & Record<string, unknown>>(byId, [organizationId, id]);
  }

  /** The rule that an issue breaks, as lists filter by it; null where the organization has no such issue. */
  async ruleOf(organizationId: string, id: string): Promise<string | null> {
    const issue = await this.issues.findOne({ select: { securityTestUid: true }, where: { organizationId, id } });
    return issue?.securityTestUid ?? null;
  }

  exists(organizationId: string, id: string): Promise<boolean> {
    return this.issues.existsBy({ organizationId, id });
  }

  /** Deletes the issues of organizations that are about to be deleted. */
  async removeOf(organizationIds: string[]): Promise<void> {
    await this.issues.delete({ organizationId: In(organizationIds) });
  }
}
