import { Injectable } from '@nestjs/common';
import { JobQueue } from '../../jobs/job-queue.js';
import { ScheduleRepository, type Scheduled } from './schedule.repository.js';
import { nextScheduledTime } from './trigger-rules.js';

/** The task that runs a workflow at the time of its schedule. */
export const scheduleTask = 'workflow-schedule';

/** Keeps one job queued for each scheduled workflow, at its next time. */
@Injectable()
export class SchedulePlanner {
  constructor(
    private readonly repository: ScheduleRepository,
    private readonly queue: JobQueue,
  ) {}

  /** Plans the next time after `after`, or none where the workflow has no schedule now; in the unit of work of the change. */
  async plan(workflow: Scheduled, after = new Date()): Promise<void> {
    const { id, enabled, triggerType, cron, timeZone } = workflow;
    const scheduled = enabled && triggerType === 'SCHEDULE' && cron !== null;
    const time = scheduled ? nextScheduledTime(cron, timeZone, after) : null;
    await this.repository.setTime(id, time);
    if (time === null) return this.cancel(id);
    await this.queue.add({
      task: scheduleTask,
      payload: { workflowId: id, time: time.toISOString() },
      runAt: time,
      key: `${scheduleTask}:${id}`,
    });
  }

  /** Takes a workflow's job out of the queue. */
  cancel(workflowId: string): Promise<void> {
    return this.queue.remove(`${scheduleTask}:${workflowId}`);
  }

  /** Queues the job of every scheduled workflow that has none, at the time that it waits for. */
  async planMissing(): Promise<void> {
    await this.repository.queueMissing(scheduleTask);
  }

  /** Whether `time` is the one that the workflow waits for; plans the next one then. Call it in a unit of work. */
  async take(workflowId: string, time: Date): Promise<Scheduled | null> {
    const due = await this.repository.lockDue(workflowId, time);
    // After the time itself too, for the database's clock may be ahead of this one's. Missed times are not caught up.
    if (due) await this.plan(due, new Date(Math.max(Date.now(), time.getTime())));
    return due;
  }
}
