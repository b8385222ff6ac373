import { Injectable } from '@nestjs/common';
import { changesOf } from '../../platform/audit/audit-changes.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import { Invalid } from '../../platform/errors/invalid.js';
import { assertUnchanged } from '../../platform/http/entity-tag.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { IssuePoliciesRepository } from './issue-policies.repository.js';
import type { IssuePolicy, IssuePolicyUpdate } from './issue-policy.dto.js';

/** How an organization wants its issues handled; the writers of issues apply it. */
@Injectable()
export class IssuePoliciesService {
  constructor(
    private readonly repository: IssuePoliciesRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditLog,
  ) {}

  /** The policy; without one, a policy that asks for nothing. */
  get(organizationId: string): Promise<IssuePolicy> {
    return this.repository.get(organizationId);
  }

  /**
   * Replaces the policy, for issues that are found from now on. `Invalid` for tags and users of others, and a tag twice,
   * `ChangedMeanwhile` where it differs from `ifMatch`.
   */
  replace(organizationId: string, policy: IssuePolicyUpdate, ifMatch: string | null): Promise<IssuePolicy> {
    return this.unitOfWork.run(async () => {
      await this.repository.lock(organizationId);
      const before = await this.repository.get(organizationId);
      assertUnchanged(ifMatch, before);
      const tagIds = policy.assignees.map(({ tagId }) => tagId.toLowerCase());
      const twice = tagIds.findIndex((tagId, place) => tagIds.indexOf(tagId) < place);
      if (twice >= 0) throw wrong(twice, 'tagId', 'A tag has one assignee: name it once');
      const foreign = await this.repository.foreign(organizationId, policy.assignees);
      if (foreign?.isTag) throw wrong(foreign.place, 'tagId', 'The organization has no such tag: GET /tags lists them');
      if (foreign) throw wrong(foreign.place, 'userId', 'This user is not a member of the organization');
      await this.repository.save(organizationId, policy);
      const after = await this.repository.get(organizationId);
      const changes = changesOf(auditable(before), auditable(after), {
        shown: ['daysToFix', 'reasonRequired', 'assignees'],
      });
      await this.audit.record({
        action: 'organization.issue_policy_changed',
        organizationId,
        subject: { id: organizationId },
        changes,
      });
      return after;
    });
  }
}

/** Entries hold the ids of people only. */
function auditable({ assignees, ...policy }: IssuePolicy) {
  return { ...policy, assignees: assignees.map(({ tagId, userId }) => ({ tagId, userId })) };
}

function wrong(place: number, field: 'tagId' | 'userId', msg: string): Invalid {
  return Invalid.at(['body', 'assignees', place, field], 'value_error', msg);
}
