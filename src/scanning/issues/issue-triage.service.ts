import { Injectable } from '@nestjs/common';
import type { OrganizationCaller } from '../../common/auth/organization-caller.js';
import { found, NotFound } from '../../common/errors/kinds.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { TriggersService } from '../triggers/triggers.service.js';
import { type Actor, IssueActivitiesRepository, type NewActivity } from './issue-activities.repository.js';
import { type IssueState, IssueTriageRepository } from './issue-triage.repository.js';
import type { IssuesUpdate, IssuesUpdateResult, IssueUpdate, UpdateOutcome } from './issue-triage.shapes.js';
import { IssuesRepository } from './issues.repository.js';
import type { Issue, Person } from './issues.shapes.js';

/** What people say of issues: it holds, whatever scans find later. */
@Injectable()
export class IssueTriage {
  constructor(
    private readonly repository: IssueTriageRepository,
    private readonly issues: IssuesRepository,
    private readonly activities: IssueActivitiesRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly triggers: TriggersService,
  ) {}

  /**
   * Changes an issue's status, from any to any other, or its severity, and keeps what was said: each change with an
   * activity. Returns the issue as it is then. `NotFound` where the organization has none.
   */
  update(caller: OrganizationCaller, id: string, changes: IssueUpdate): Promise<Issue> {
    return this.unitOfWork.run(async () => {
      const outcomes = await this.apply(caller, [id], changes);
      if (outcomes.size === 0) throw new NotFound('Issue not found');
      return found(await this.issues.byId(caller.organizationId, id), 'Issue');
    });
  }

  /**
   * Changes many issues in one transaction, with one ISSUE_UPDATED for all that really changed; returns what became of
   * each. One that the organization does not have keeps no other from being changed.
   */
  updateMany(caller: OrganizationCaller, { ids, ...changes }: IssuesUpdate): Promise<IssuesUpdateResult> {
    const distinct = [...new Set(ids.map((id) => id.toLowerCase()))];
    return this.unitOfWork.run(async () => {
      const outcomes = await this.apply(caller, distinct, changes);
      return { results: distinct.map((id) => ({ id, status: outcomes.get(id) ?? 'not_found' })) };
    });
  }

  /** Applies the changes to those issues that there are, and returns what became of them. */
  private async apply(
    caller: OrganizationCaller,
    ids: string[],
    changes: IssueUpdate,
  ): Promise<Map<string, UpdateOutcome>> {
    const { organizationId } = caller;
    const actor = actorOf(caller);
    const issues = (await this.repository.statesForUpdate(organizationId, ids)).map((before) => {
      const after = changed(before, changes, actor.kind);
      const moves = movesOf(before, after);
      return { id: before.id, before, after, moves, activities: commented(before.id, moves, changes.comment) };
    });
    const changedOnes = issues.filter(({ before, after }) => !isSame(before, after));
    await this.repository.update(
      organizationId,
      changedOnes.map(({ after }) => after),
    );
    const subjectIds = issues.filter(({ before, after }) => hasMoved(before, after)).map(({ id }) => id);
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

/** What is said again is theirs who said it last, also where the scanner had said the same. */
function changed(before: IssueState, { status, severity }: IssueUpdate, by: Person): IssueState {
  const after = { ...before };
  if (status !== undefined) Object.assign(after, { status, statusSetBy: by });
  if (severity === null) Object.assign(after, { severity: before.toolSeverity, severitySetBy: null });
  else if (severity !== undefined) Object.assign(after, { severity, severitySetBy: by });
  return after;
}

function hasMoved(before: IssueState, after: IssueState): boolean {
  return before.status !== after.status || before.severity !== after.severity;
}

function isSame(before: IssueState, after: IssueState): boolean {
  const { statusSetBy, severitySetBy } = before;
  return !hasMoved(before, after) && statusSetBy === after.statusSetBy && severitySetBy === after.severitySetBy;
}

/** A severity that is taken from the scanner, or given back to it, is a move although its value may be the same. */
function movesOf({ id: issueId, ...before }: IssueState, after: IssueState): NewActivity[] {
  const moves: NewActivity[] = [];
  if (before.status !== after.status) {
    moves.push({ issueId, kind: 'STATUS', from: before.status, to: after.status });
  }
  const changesHands = (before.severitySetBy === null) !== (after.severitySetBy === null);
  if (before.severity !== after.severity || changesHands) {
    moves.push({ issueId, kind: 'SEVERITY', from: before.severity, to: after.severity });
  }
  return moves;
}

/** A comment goes with the change that it explains; alone it is an activity of its own. */
function commented(issueId: string, moves: NewActivity[], comment: string | undefined): NewActivity[] {
  if (comment === undefined) return moves;
  const [first, ...rest] = moves;
  if (!first) return [{ issueId, kind: 'COMMENT', from: null, to: null, comment }];
  return [{ ...first, comment }, ...rest];
}
