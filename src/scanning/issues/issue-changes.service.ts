import { Injectable } from '@nestjs/common';
import type { OrganizationCaller } from '../../platform/auth/organization-caller.js';
import { Invalid } from '../../platform/errors/invalid.js';
import { TriggersService } from '../triggers/triggers.service.js';
import { IssueActivitiesRepository } from './issue-activities.repository.js';
import { IssuePoliciesRepository } from './issue-policies.repository.js';
import { activitiesOf, changed, type Changer, hasChanged, isSame, type IssueState } from './issue-state.js';
import type { IssueChanges } from './issue-triage.dto.js';
import { IssueTriageRepository } from './issue-triage.repository.js';

type Place = (string | number)[];

/** Changes issues on behalf of people, in the unit of work under way. */
@Injectable()
export class IssueChangesService {
  constructor(
    private readonly repository: IssueTriageRepository,
    private readonly policies: IssuePoliciesRepository,
    private readonly activities: IssueActivitiesRepository,
    private readonly triggers: TriggersService,
  ) {}

  /**
   * Refuses changes that contradict each other or the organization's policy, and keeps the assignee a member until the unit of
   * work ends; call it before issues are locked. `Invalid`, below `place`.
   */
  async prepare(organizationId: string, changes: IssueChanges, place: Place): Promise<void> {
    assertAcceptance(changes, place);
    const { status, comment, acceptedUntil, acceptedReason, assigneeId } = changes;
    // Unspecified: what the specification's own clients, which send only the status, are to do. Nothing, unless the
    // organization's policy asks for reasons; a comment counts as one.
    const isBare = status === 'IGNORED' && !acceptedUntil && !acceptedReason && comment === undefined;
    if (isBare && (await this.policies.isReasonRequired(organizationId))) {
      const msg =
        'This organization asks for a reason when an issue is ignored without an end: send acceptedReason or a ' +
        'comment, or acceptedUntil';
      throw Invalid.at([...place, 'acceptedReason'], 'missing', msg);
    }
    if (assigneeId && !(await this.repository.keepMember(organizationId, assigneeId))) {
      const msg =
        'This user is not a member of the organization: GET /organizations/{organizationId}/members lists who is';
      throw Invalid.at([...place, 'assigneeId'], 'value_error', msg, assigneeId);
    }
  }

  /**
   * Applies the changes to locked issues, with an activity for each change and one ISSUE_UPDATED for all issues that really
   * changed. Returns the ids of those that have a change, a comment included.
   */
  async apply(caller: OrganizationCaller, states: IssueState[], changes: IssueChanges): Promise<Set<string>> {
    const { organizationId } = caller;
    const actor = changerOf(caller);
    const issues = states.map((before) => {
      const after = changed(before, changes, actor);
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
    return new Set([...changedOnes.map(({ id }) => id), ...activities.map(({ issueId }) => issueId)]);
  }
}

export function changerOf({ userId, apiKeyId, name }: OrganizationCaller): Changer {
  return { kind: apiKeyId === null ? 'USER' : 'API_KEY', userId, keyName: apiKeyId === null ? null : name };
}

function assertAcceptance({ status, acceptedUntil, acceptedReason }: IssueChanges, place: Place): void {
  const given = acceptedUntil ? 'acceptedUntil' : 'acceptedReason';
  if (!acceptedUntil && !acceptedReason) return;
  if (status !== 'IGNORED') {
    const msg = 'An acceptance goes with the status IGNORED: send "status": "IGNORED" beside it';
    throw Invalid.at([...place, given], 'value_error', msg);
  }
  if (acceptedUntil && Date.parse(acceptedUntil) <= Date.now()) {
    const msg = 'An acceptance ends in the future: send a later time, or the status OPEN';
    throw Invalid.at([...place, 'acceptedUntil'], 'value_error', msg, acceptedUntil);
  }
}
