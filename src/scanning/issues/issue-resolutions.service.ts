import { Injectable } from '@nestjs/common';
import { IssueActivitiesRepository, systemActor } from './issue-activities.repository.js';
import { IssueResolutionsRepository, type OpenIssue } from './issue-resolutions.repository.js';

/** Resolves issues on behalf of scans that no longer find them. */
@Injectable()
export class IssueResolutionsService {
  constructor(
    private readonly repository: IssueResolutionsRepository,
    private readonly activities: IssueActivitiesRepository,
  ) {}

  /**
   * Resolves the issues that are still open and that no scan has found since, each with an activity that gives the reason;
   * returns their ids. Call it in the unit of work of the import, which announces them with its other changes.
   */
  async resolve(organizationId: string, issues: OpenIssue[], comment: string): Promise<string[]> {
    if (issues.length === 0) return [];
    const ids = await this.repository.resolve(organizationId, issues);
    const change = { kind: 'STATUS', from: 'OPEN', to: 'RESOLVED', comment } as const;
    await this.activities.insert(
      organizationId,
      systemActor,
      ids.map((issueId) => ({ issueId, ...change })),
    );
    return ids;
  }
}
