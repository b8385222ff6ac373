import { Injectable } from '@nestjs/common';
import { JobQueue } from '../../platform/jobs/job-queue.js';
import { jobKey } from '../../platform/jobs/jobs.statements.js';
import { ScheduleRepository, type Scheduled } from './schedule.repository.js';
import { nextScheduledTime } from './trigger-rules.js';
import { scheduleTask } from './workflow-tasks.js';

/** Keeps one job queued for each scheduled workflow, at its next time. */
@Injectable()
export class SchedulePlanner {
  constructor(
    private readonly repository: ScheduleRepository,
    private readonly queue: JobQueue,
  ) {}

  /**
   * Plans the first time after `after`, or none where the workflow has no schedule, in the unit of work of the change.
   */
  async plan(workflow: Scheduled, after = new Date()): Promise<void> {
    const { id, enabled, triggerType, cron, timeZone } = workflow;
    const scheduled = enabled && triggerType === 'SCHEDULE' && cron !== null;
    const time = scheduled ? nextScheduledTime(cron, timeZone, after) : null;
    await this.repository.setTime(id, time);
    if (time === null) return this.cancel(id);
    const payload = { workflowId: id, time: time.toISOString() };
    await this.queue.add(scheduleTask, payload, { runAt: time, key: jobKey(scheduleTask, id) });
  }

  /** Takes a workflow's job out of the queue. */
  cancel(workflowId: string): Promise<void> {
    return this.queue.remove(jobKey(scheduleTask, workflowId));
  }

  /** Queues the job of every scheduled workflow that has none, at the time that it waits for. */
  planMissing(): Promise<void> {
    return this.repository.queueMissing();
  }

  /** The workflow, with its next time planned, if it waits for this very time; else null. Call it in a unit of work. */
  async take(workflowId: string, time: Date): Promise<Scheduled | null> {
    const due = await this.repository.lockDue(workflowId, time);
    // Not before the time itself, since the database's clock may be ahead. Missed times are not made up for.
    if (due) await this.plan(due, new Date(Math.max(Date.now(), time.getTime())));
    return due;
  }
}
