import { Injectable } from '@nestjs/common';
import type { OrganizationCaller } from '../../platform/auth/organization-caller.js';
import { found, NotFound } from '../../platform/errors/errors.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { TriggersService } from '../triggers/triggers.service.js';
import { type Actor, IssueActivitiesRepository, type NewActivity } from './issue-activities.repository.js';
import { type IssueState, IssueTriageRepository } from './issue-triage.repository.js';
import type { IssuesUpdate, IssuesUpdateResult, IssueUpdate, UpdateOutcome } from './issue-triage.dto.js';
import { toIssue } from './issue-detail.mapper.js';
import { IssuesRepository } from './issues.repository.js';
import type { Issue, Person } from './issues.dto.js';

/** The status and severity that users give issues, regardless of later scans. */
@Injectable()
export class IssueTriageService {
  constructor(
    private readonly repository: IssueTriageRepository,
    private readonly issues: IssuesRepository,
    private readonly activities: IssueActivitiesRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly triggers: TriggersService,
  ) {}

  /**
   * Changes an issue's status, from any to any other, or its severity, and records each change as an activity. Returns the
   * updated issue. `NotFound` where the organization has none.
   */
  update(caller: OrganizationCaller, id: string, changes: IssueUpdate): Promise<Issue> {
    return this.unitOfWork.run(async () => {
      const outcomes = await this.apply(caller, [id], changes);
      if (outcomes.size === 0) throw new NotFound('Issue not found');
      return toIssue(found(await this.issues.byId(caller.organizationId, id), 'Issue'));
    });
  }

  /**
   * Changes many issues in one transaction, with one ISSUE_UPDATED for all that really changed; returns the outcome of each.
   * An unknown issue does not keep the others from changing.
   */
  updateMany(caller: OrganizationCaller, { ids, ...changes }: IssuesUpdate): Promise<IssuesUpdateResult> {
    const distinct = [...new Set(ids.map((id) => id.toLowerCase()))];
    return this.unitOfWork.run(async () => {
      const outcomes = await this.apply(caller, distinct, changes);
      return { results: distinct.map((id) => ({ id, status: outcomes.get(id) ?? 'not_found' })) };
    });
  }

  /** Applies the changes to the issues that exist and returns their outcomes. */
  private async apply(
    caller: OrganizationCaller,
    ids: string[],
    changes: IssueUpdate,
  ): Promise<Map<string, UpdateOutcome>> {
    const { organizationId } = caller;
    const actor = actorOf(caller);
    const issues = (await this.repository.statesForUpdate(organizationId, ids)).map((before) => {
      const after = changed(before, changes, actor.kind);
      return { id: before.id, before, after, activities: activitiesOf(before, after, changes.comment) };
    });
    const changedOnes = issues.filter(({ before, after }) => !isSame(before, after));
    await this.repository.update(
      organizationId,
      changedOnes.map(({ after }) => after),
    );
    const subjectIds = issues.filter(({ before, after }) => hasChanged(before, after)).map(({ id }) => id);
    await this.triggers.record({ organizationId, type: 'ISSUE_UPDATED', subjectIds });
    const activities = issues.flatMap((issue) => issue.activities);
    await this.activities.insert(organizationId, actor, activities);
    const updated = new Set([...changedOnes.map(({ id }) => id), ...activities.map(({ issueId }) => issueId)]);
    return new Map(issues.map(({ id }) => [id, updated.has(id) ? 'updated' : 'unchanged']));
  }
}

function actorOf({ userId, apiKeyId, name }: OrganizationCaller): Actor & { kind: Person } {
  return { kind: apiKeyId === null ? 'USER' : 'API_KEY', userId, keyName: apiKeyId === null ? null : name };
}

/** Setting the present value again still changes who set it. */
function changed(before: IssueState, { status, severity }: IssueUpdate, by: Person): IssueState {
  const after = { ...before };
  if (status !== undefined) Object.assign(after, { status, statusSetBy: by });
  if (severity === null) Object.assign(after, { severity: before.toolSeverity, severitySetBy: null });
  else if (severity !== undefined) Object.assign(after, { severity, severitySetBy: by });
  return after;
}

function hasChanged(before: IssueState, after: IssueState): boolean {
  return before.status !== after.status || before.severity !== after.severity;
}

function isSame(before: IssueState, after: IssueState): boolean {
  const { statusSetBy, severitySetBy } = before;
  return !hasChanged(before, after) && statusSetBy === after.statusSetBy && severitySetBy === after.severitySetBy;
}

/**
 * An activity for each change, the first with the comment; a comment without a change is an activity of its own. Taking the
 * severity from the scanner, or giving it back, is a change even where the value stays the same.
 */
function activitiesOf({ id: issueId, ...before }: IssueState, after: IssueState, comment?: string): NewActivity[] {
  const changes: NewActivity[] = [];
  if (before.status !== after.status) {
    changes.push({ issueId, kind: 'STATUS', from: before.status, to: after.status });
  }
  const changesOwner = (before.severitySetBy === null) !== (after.severitySetBy === null);
  if (before.severity !== after.severity || changesOwner) {
    changes.push({ issueId, kind: 'SEVERITY', from: before.severity, to: after.severity });
  }
  if (comment === undefined) return changes;
  const [first, ...rest] = changes;
  return first ? [{ ...first, comment }, ...rest] : [{ issueId, kind: 'COMMENT', from: null, to: null, comment }];
}
