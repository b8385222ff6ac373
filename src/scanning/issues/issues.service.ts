import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { OrganizationCaller } from '../../common/auth/organization-caller.js';
import { found, NotFound } from '../../common/errors/kinds.js';
import { type CursorPaging, type Page, pageOf, startOf } from '../../common/http/cursor.js';
import { OrganizationRemovals } from '../../common/removal-steps.js';
import { listed } from '../../database/filtered-statement.js';
import { containing } from '../../database/like-pattern.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { Triggers } from '../triggers/triggers.service.js';
import { type Actor, IssueActivitiesRepository, type NewActivity } from './issue-activities.repository.js';
import { IssuesRepository, type IssueState } from './issues.repository.js';
import type { Issue, IssueActivity, IssueFilter, IssueSummary, IssueUpdate } from './issues.shapes.js';

/** The issues of an organization: what scans found, and what people say of it. */
@Injectable()
export class IssuesService implements OnModuleInit {
  constructor(
    private readonly repository: IssuesRepository,
    private readonly activityLog: IssueActivitiesRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly triggers: Triggers,
    private readonly removals: OrganizationRemovals,
  ) {}

  onModuleInit(): void {
    this.removals.add((organizationIds) => this.repository.removeOf(organizationIds));
  }

  /** A page of the organization's issues, newest first. `Invalid` for a broken cursor. */
  async list(organizationId: string, { size, cursor, ...filter }: IssueFilter): Promise<Page<IssueSummary>> {
    const rows = await this.repository.page(organizationId, startOf(cursor), size + 1, {
      severities: listed(filter.severities),
      categories: listed(filter.categories),
      statuses: listed(filter.statuses),
      assetIds: listed(filter.assetIds),
      scanIds: listed(filter.scanIds),
      profileIds: listed(filter.profileIds),
      search: filter.search ? containing(filter.search) : undefined,
    });
    return pageOf(rows, size, (issue) => issue);
  }

  /** One issue; `NotFound` where the organization has none. */
  async get(organizationId: string, id: string): Promise<Issue> {
    return found(await this.repository.byId(organizationId, id), 'Issue');
  }

  /**
   * Changes an issue's status, from any to any other, or its severity, and keeps what was said: each change with an
   * activity. `NotFound` where the organization has none.
   */
  update(caller: OrganizationCaller, id: string, changes: IssueUpdate): Promise<Issue> {
    const { organizationId } = caller;
    return this.unitOfWork.run(async () => {
      const before = found(await this.repository.stateForUpdate(organizationId, id), 'Issue');
      const { status = before.status, severity = before.severity, comment } = changes;
      const moves = movesOf(id, before, { status, severity });
      if (moves.length > 0) {
        await this.repository.update(organizationId, id, { status, severity });
        await this.triggers.record({ organizationId, type: 'ISSUE_UPDATED', subjectIds: [id] });
      }
      await this.activityLog.insert(actorOf(caller), commented(id, moves, comment));
      return this.get(organizationId, id);
    });
  }

  /** A page of what happened to an issue, newest first. `NotFound` where the organization has none. */
  async activities(organizationId: string, id: string, { size, cursor }: CursorPaging): Promise<Page<IssueActivity>> {
    const rows = await this.activityLog.page(organizationId, id, startOf(cursor), size + 1);
    if (rows.length === 0 && !(await this.repository.isThere(organizationId, id)))
      throw new NotFound('Issue not found');
    return pageOf(rows, size, (activity) => activity);
  }
}

function actorOf({ userId, apiKeyId, name }: OrganizationCaller): Actor {
  return { kind: apiKeyId === null ? 'USER' : 'API_KEY', userId, keyName: apiKeyId === null ? null : name };
}

function movesOf(issueId: string, before: IssueState, after: IssueState): NewActivity[] {
  const all: NewActivity[] = [
    { issueId, kind: 'STATUS', from: before.status, to: after.status },
    { issueId, kind: 'SEVERITY', from: before.severity, to: after.severity },
  ];
  return all.filter(({ from, to }) => from !== to);
}

/** A comment goes with the change that it explains; alone it is an activity of its own. */
function commented(issueId: string, moves: NewActivity[], comment: string | undefined): NewActivity[] {
  if (comment === undefined) return moves;
  const [first, ...rest] = moves;
  if (!first) return [{ issueId, kind: 'COMMENT', from: null, to: null, comment }];
  return [{ ...first, comment }, ...rest];
}
