import { Injectable, type OnModuleInit } from '@nestjs/common';
import { found, NotFound } from '../../platform/errors/errors.js';
import { afterId, type CursorPaging, type Page, pageById, pageOf, startOf } from '../../platform/http/cursor.js';
import { OrganizationRemovals } from '../../platform/removal-steps.js';
import { hasMore, unbounded } from '../../database/bounded-rows.js';
import { listed } from '../../database/filtered-statement.js';
import { containing } from '../../database/like-pattern.js';
import { type CountedPage, timeOf } from '../counted-lists.js';
import { IssueActivitiesRepository } from './issue-activities.repository.js';
import { toIssue } from './issue-detail.mapper.js';
import { IssueTargetsRepository } from './issue-targets.repository.js';
import { IssuesRepository } from './issues.repository.js';
import type { Issue, IssueActivity, IssueFilter, IssueSummary, IssueTargetPage } from './issues.dto.js';

/** The issues of an organization: the results of scans, with the users' verdicts. */
@Injectable()
export class IssuesService implements OnModuleInit {
  constructor(
    private readonly repository: IssuesRepository,
    private readonly activityLog: IssueActivitiesRepository,
    private readonly targetRows: IssueTargetsRepository,
    private readonly removals: OrganizationRemovals,
  ) {}

  onModuleInit(): void {
    this.removals.add((organizationIds) => this.repository.removeOf(organizationIds));
  }

  /** A page of the organization's issues, newest first. `Invalid` for a broken cursor. */
  async list(
    organizationId: string,
    { size, cursor, total, ...filter }: IssueFilter,
  ): Promise<CountedPage<IssueSummary>> {
    const given = {
      severities: listed(filter.severities),
      categories: listed(filter.categories),
      statuses: listed(filter.statuses),
      assetIds: listed(filter.assetIds),
      scanIds: listed(filter.scanIds),
      profileIds: listed(filter.profileIds),
      search: filter.search ? containing(filter.search) : undefined,
      since: timeOf(filter.since),
      until: timeOf(filter.until),
    };
    const rows = await this.repository.page(organizationId, startOf(cursor), size + 1, given);
    const page = await pageOf(rows, size, unbounded, hasMore(rows, size));
    return total ? { ...page, totalCount: await this.repository.total(organizationId, given) } : page;
  }

  /** One issue; `NotFound` where the organization has none. */
  async get(organizationId: string, id: string): Promise<Issue> {
    return toIssue(found(await this.repository.byId(organizationId, id), 'Issue'));
  }

  /**
   * A page of an issue's targets, in the order in which scans named them. `NotFound` where the organization has no such issue,
   * `Invalid` for a broken cursor.
   */
  async targets(organizationId: string, id: string, { size, cursor }: CursorPaging): Promise<IssueTargetPage> {
    const rows = await this.targetRows.page(organizationId, id, afterId(cursor), size + 1);
    if (rows.length === 0) await this.assertExists(organizationId, id);
    return pageById(rows, size);
  }

  /** A page of an issue's activities, newest first. `NotFound` where the organization has no such issue. */
  async activities(organizationId: string, id: string, { size, cursor }: CursorPaging): Promise<Page<IssueActivity>> {
    const rows = await this.activityLog.page(organizationId, id, startOf(cursor), size + 1);
    if (rows.length === 0) await this.assertExists(organizationId, id);
    return pageOf(rows, size, (activity) => activity);
  }

  private async assertExists(organizationId: string, id: string): Promise<void> {
    if (!(await this.repository.exists(organizationId, id))) throw new NotFound('Issue not found');
  }
}
