import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../platform/audit/audit-log.js';
import type { OrganizationCaller } from '../../platform/auth/organization-caller.js';
import { Conflict } from '../../platform/errors/errors.js';
import { Invalid } from '../../platform/errors/invalid.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { IssueBulkRepository, type ShownState } from './issue-bulk.repository.js';
import {
  type IssueBulkChange,
  type IssueBulkExample,
  type IssueBulkResult,
  mostAtOnce,
  shownIssues,
} from './issue-bulk.dto.js';
import { changerOf, IssueChangesService } from './issue-changes.service.js';
import { filtersOf } from './issue-filters.statements.js';
import { activitiesOf, changed } from './issue-state.js';
import type { IssueChanges } from './issue-triage.dto.js';

/** Changes all issues that match a filter. */
@Injectable()
export class IssueBulkService {
  constructor(
    private readonly repository: IssueBulkRepository,
    private readonly changes: IssueChangesService,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Changes the issues that match, the newest 10,000 at most, with an activity for each change and one audit entry; or says
   * what would change. `Conflict` where others match than the caller expects, `Invalid` for changes that change nothing or
   * contradict each other, and as `Searches` throws.
   */
  async change(caller: OrganizationCaller, asked: IssueBulkChange): Promise<IssueBulkResult> {
    const { filter, changes, expectedCount, dryRun } = asked;
    assertChanges(changes);
    const { organizationId } = caller;
    await this.unitOfWork.run(() => this.changes.prepare(organizationId, changes, ['body', 'changes']));
    const given = filtersOf(filter, caller.userId);
    const { matching, changing, ids } = await this.repository.find(organizationId, given, changes, mostAtOnce);
    if (expectedCount !== undefined && expectedCount !== matching) throw differs(expectedCount, matching);
    if (dryRun) {
      const first = await this.repository.shown(organizationId, ids.slice(0, shownIssues));
      const examples = first.map((state) => exampleOf(state, changes, caller));
      return { dryRun, matching, changing, changed: 0, remaining: changing, first: examples };
    }
    const count = ids.length === 0 ? 0 : await this.apply(caller, ids, asked);
    return { dryRun, matching, changing, changed: count, remaining: Math.max(0, changing - count), first: [] };
  }

  /** Returns how many issues were changed. */
  private apply(caller: OrganizationCaller, ids: string[], { filter, changes }: IssueBulkChange): Promise<number> {
    const { organizationId } = caller;
    return this.unitOfWork.run(async () => {
      await this.changes.prepare(organizationId, changes, ['body', 'changes']);
      const states = await this.repository.freeForUpdate(organizationId, ids, filtersOf(filter, caller.userId));
      const updated = await this.changes.apply(caller, states, changes);
      if (updated.size === 0) return 0;
      await this.audit.record({
        action: 'organization.issues_changed',
        organizationId,
        subject: { id: organizationId },
        changes: {
          filter: { from: null, to: filter },
          changes: { from: null, to: fieldsOf(changes) },
          count: { from: null, to: updated.size },
        },
      });
      return updated.size;
    });
  }
}

/** Comments and reasons are long, and stand in the activities. */
function fieldsOf({ comment: _comment, acceptedReason: _reason, ...fields }: IssueChanges): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function assertChanges({ comment: _comment, ...fields }: IssueChanges): void {
  if (Object.values(fields).some((value) => value !== undefined)) return;
  const msg = 'Name at least one field to change beside the comment, such as status, assigneeId or dueAt';
  throw Invalid.at(['body', 'changes'], 'missing', msg);
}

function differs(expected: number, matching: number): Conflict {
  const sentence = `The filter matches ${matching} issues, not ${expected}: look at them again with dryRun, then send the new count`;
  return new Conflict(sentence, 'count_differs');
}

function exampleOf(state: ShownState, changes: IssueChanges, caller: OrganizationCaller): IssueBulkExample {
  const { id, name, severity, status, assetName } = state;
  const after = changed(state, changes, changerOf(caller));
  const moves = activitiesOf(state, after).map(({ kind, from, to }) => ({ kind, from, to }));
  return { id, name, severity, status, assetName, changes: moves };
}
