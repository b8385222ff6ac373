import { Injectable } from '@nestjs/common';
import { IssueActivitiesRepository, systemActor } from './issue-activities.repository.js';
import { type FollowedIssue, IssueBranchesRepository } from './issue-branches.repository.js';

/** Which branches have which issues. */
@Injectable()
export class IssueBranchesService {
  constructor(
    private readonly repository: IssueBranchesRepository,
    private readonly activities: IssueActivitiesRepository,
  ) {}

  /** Records that these branches no longer have the issues. */
  async leave(branchIds: string[], issueIds: string[]): Promise<void> {
    if (branchIds.length > 0 && issueIds.length > 0) await this.repository.leave(branchIds, issueIds);
  }

  /** Records that these branches had the issues of these identities before, which a report calls absent. */
  async recall(organizationId: string, branchIds: string[], identities: string[]): Promise<void> {
    if (branchIds.length > 0 && identities.length > 0) {
      await this.repository.recall(organizationId, branchIds, identities);
    }
  }

  /** Takes their issues from closed branches; returns those that are resolved by it. Call it in a unit of work. */
  async end(organizationId: string, branchIds: string[], comment: string): Promise<string[]> {
    if (branchIds.length === 0) return [];
    const ids = await this.repository.end(organizationId, branchIds);
    const change = { kind: 'STATUS', from: 'OPEN', to: 'RESOLVED', comment } as const;
    await this.activities.insert(
      organizationId,
      systemActor,
      ids.map((issueId) => ({ issueId, ...change })),
    );
    return ids;
  }

  /**
   * Lets the issues of branches follow these once they decide, or no longer do; returns the issues whose status changed.
   * Call it in a unit of work.
   */
  async follow(organizationId: string, branchIds: string[], comment: string): Promise<string[]> {
    if (branchIds.length === 0) return [];
    const moved = (await this.repository.follow(organizationId, branchIds)).filter(hasMoved);
    const activities = moved.map(({ id, statusBefore, status }) => ({
      issueId: id,
      kind: 'STATUS' as const,
      from: statusBefore,
      to: status,
      comment,
    }));
    await this.activities.insert(organizationId, systemActor, activities);
    return moved.map(({ id }) => id);
  }
}

function hasMoved({ statusBefore, status }: FollowedIssue): boolean {
  return statusBefore !== status;
}
