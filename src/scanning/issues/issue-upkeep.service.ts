import { Injectable, type OnModuleInit } from '@nestjs/common';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { JobQueue } from '../../platform/jobs/job-queue.js';
import { JobRunner } from '../../platform/jobs/job-runner.js';
import { AccountRemovals, MemberRemovals } from '../../platform/removal-steps.js';
import { TriggersService } from '../triggers/triggers.service.js';
import { type EndedAcceptance, IssueAcceptancesRepository } from './issue-acceptances.repository.js';
import { IssueActivitiesRepository, type NewActivity, systemActor } from './issue-activities.repository.js';

const unassignTask = 'issue-unassign';
const everySeconds = 60;

interface ChangedIssue {
  id: string;
  organizationId: string;
  activity: NewActivity;
}

/** Ends what ends by itself: acceptances at their time, and assignments of people who left. */
@Injectable()
export class IssueUpkeepService implements OnModuleInit {
  constructor(
    private readonly repository: IssueAcceptancesRepository,
    private readonly activities: IssueActivitiesRepository,
    private readonly triggers: TriggersService,
    private readonly members: MemberRemovals,
    private readonly accounts: AccountRemovals,
    private readonly unitOfWork: UnitOfWork,
    private readonly jobs: JobRunner,
    private readonly queue: JobQueue,
  ) {}

  onModuleInit(): void {
    this.jobs.registerRecurring({
      name: 'issue-acceptances',
      everySeconds,
      deadlineSeconds: everySeconds - 10,
      handler: ({ signal }) => this.openEnded(signal),
    });
    this.jobs.register(unassignTask, (payload) => this.unassign((payload as { userId: string }).userId), {
      deadlineSeconds: 600,
    });
    this.members.add(({ userId }) => this.queue.add(unassignTask, { userId }));
    this.accounts.add(({ userId }) => this.queue.add(unassignTask, { userId }));
  }

  /** Opens the issues whose acceptance is over, each with the reason of the acceptance in an activity, and once. */
  async openEnded(signal?: AbortSignal): Promise<void> {
    for (let opened = 1; opened > 0;) {
      signal?.throwIfAborted();
      opened = await this.unitOfWork.run(async () => {
        const issues = await this.repository.openEnded();
        await this.record(issues.map((issue) => ({ ...issue, activity: reopening(issue) })));
        return issues.length;
      });
    }
  }

  /** Takes the issues from somebody who is no member of their organization any more, each with an activity. */
  async unassign(userId: string): Promise<void> {
    for (let taken = 1; taken > 0;) {
      taken = await this.unitOfWork.run(async () => {
        const issues = await this.repository.unassign(userId);
        await this.record(
          issues.map(({ id, organizationId }) => ({
            id,
            organizationId,
            activity: { issueId: id, kind: 'ASSIGNEE', from: userId, to: null, comment: 'The assignee left' },
          })),
        );
        return issues.length;
      });
    }
    if (await this.repository.isLeftBehind(userId))
      throw new Error('Some issues are in use: they are unassigned later');
    for (let forgotten = 1; forgotten > 0;) forgotten = await this.repository.forgetAccepter(userId);
  }

  /** Few organizations have any at the same time. */
  private async record(issues: ChangedIssue[]): Promise<void> {
    for (const organizationId of new Set(issues.map((issue) => issue.organizationId))) {
      const own = issues.filter((issue) => issue.organizationId === organizationId);
      const activities = own.map(({ activity }) => activity);
      await this.activities.insert(organizationId, systemActor, activities);
      await this.triggers.record({ organizationId, type: 'ISSUE_UPDATED', subjectIds: own.map(({ id }) => id) });
    }
  }
}

function reopening({ id, acceptedUntil, acceptedReason }: EndedAcceptance): NewActivity {
  const end = `The acceptance ended on ${acceptedUntil.toISOString().slice(0, 10)}`;
  const comment = acceptedReason === null ? `${end}.` : `${end}. Its reason was: ${acceptedReason}`;
  return { issueId: id, kind: 'STATUS', from: 'IGNORED', to: 'OPEN', comment };
}
