import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { OrganizationCaller } from '../../platform/auth/organization-caller.js';
import { found, NotFound } from '../../platform/errors/errors.js';
import { afterId, type CursorPaging, type Page, pageById, pageOf, startOf } from '../../platform/http/cursor.js';
import { OrganizationRemovals } from '../../platform/removal-steps.js';
import { hasMore, unbounded } from '../../database/bounded-rows.js';
import type { CountedPage } from '../counted-lists.js';
import { ScanEventsService } from '../scan-events/scan-events.service.js';
import { IssueActivitiesRepository } from './issue-activities.repository.js';
import { toIssue } from './issue-detail.mapper.js';
import { IssueTargetsRepository } from './issue-targets.repository.js';
import type { IssueFilter, IssueSort } from './issue-filter.dto.js';
import { filtersOf } from './issue-filters.statements.js';
import { encodeIssueCursor, startOfIssues } from './issue-sorts.js';
import { type IssueRow, IssuesRepository } from './issues.repository.js';
import type { Issue, IssueActivity, IssueSummary, IssueTargetPage } from './issues.dto.js';

/** The issues of an organization: the results of scans, with the users' verdicts. */
@Injectable()
export class IssuesService implements OnModuleInit {
  constructor(
    private readonly repository: IssuesRepository,
    private readonly activityLog: IssueActivitiesRepository,
    private readonly targetRows: IssueTargetsRepository,
    private readonly events: ScanEventsService,
    private readonly removals: OrganizationRemovals,
  ) {}

  onModuleInit(): void {
    this.removals.add((organizationIds) => this.repository.removeOf(organizationIds));
  }

  /** A page of the organization's issues, newest first unless asked otherwise. `Invalid` for a broken cursor. */
  async list(
    { organizationId, userId }: OrganizationCaller,
    { size, cursor, total, sort, ...conditions }: IssueFilter,
  ): Promise<CountedPage<IssueSummary>> {
    const given = filtersOf(conditions, userId);
    const rows = await this.repository.page(organizationId, sort, startOfIssues(sort, cursor), size + 1, given);
    const page = await pageOf(rows, size, withoutKeys, hasMore(rows, size));
    const nextCursor = page.nextCursor === null ? null : cursorAfter(sort, rows[page.data.length - 1]);
    const counted = { ...page, nextCursor };
    return total ? { ...counted, totalCount: await this.repository.total(organizationId, given) } : counted;
  }

  /** One issue; `NotFound` where the organization has none. */
  async get(organizationId: string, id: string): Promise<Issue> {
    const row = found(await this.repository.byId(organizationId, id), 'Issue');
    return toIssue(row, await this.events.newestAttached(organizationId, row.id));
  }

  /** A page of the other issues of an issue's rule, newest first. `NotFound` where the organization has no such issue. */
  async similar(organizationId: string, id: string, { size, cursor }: CursorPaging): Promise<Page<IssueSummary>> {
    const rule = found(await this.repository.ruleOf(organizationId, id), 'Issue');
    const given = { rule: [rule], except: id, ofDefault: true };
    const rows = await this.repository.page(organizationId, 'created', startOf(cursor), size + 1, given);
    return pageOf(rows, size, withoutKeys, hasMore(rows, size));
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

function withoutKeys(row: IssueRow): IssueSummary {
  const { key0: _first, key1: _second, ...issue } = unbounded(row);
  return issue;
}

function cursorAfter(sort: IssueSort, row: IssueRow | undefined): string | null {
  if (!row) return null;
  const { key0, key1 } = row;
  return encodeIssueCursor(sort, key1 === undefined ? [key0] : [key0, key1], row.id);
}
