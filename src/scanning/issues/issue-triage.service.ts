import { Injectable } from '@nestjs/common';
import type { OrganizationCaller } from '../../platform/auth/organization-caller.js';
import { NotFound } from '../../platform/errors/errors.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { IssueChangesService } from './issue-changes.service.js';
import { IssueTriageRepository } from './issue-triage.repository.js';
import type { IssuesUpdate, IssuesUpdateResult, IssueUpdate, UpdateOutcome } from './issue-triage.dto.js';
import { IssuesService } from './issues.service.js';
import type { Issue } from './issues.dto.js';

/** What users decide about issues, regardless of later scans. */
@Injectable()
export class IssueTriageService {
  constructor(
    private readonly repository: IssueTriageRepository,
    private readonly issues: IssuesService,
    private readonly changes: IssueChangesService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Changes an issue's status, from any to any other, its severity, assignee, due date, acceptance or link, and records each
   * change as an activity. Returns the updated issue. `NotFound` where the organization has none, `Invalid` as
   * `IssueChangesService.prepare`.
   */
  async update(caller: OrganizationCaller, id: string, changes: IssueUpdate): Promise<Issue> {
    await this.unitOfWork.run(async () => {
      const outcomes = await this.apply(caller, [id], changes);
      if (outcomes.size === 0) throw new NotFound('Issue not found');
    });
    return this.issues.get(caller.organizationId, id);
  }

  /**
   * Changes many issues in one transaction, with one ISSUE_UPDATED for all that really changed; returns the outcome of each.
   * An unknown issue does not keep the others from changing. `Invalid` as `IssueChangesService.prepare`.
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
    await this.changes.prepare(caller.organizationId, changes, ['body']);
    const states = await this.repository.statesForUpdate(caller.organizationId, ids);
    const updated = await this.changes.apply(caller, states, changes);
    return new Map(states.map(({ id }) => [id, updated.has(id) ? 'updated' : 'unchanged']));
  }
}
