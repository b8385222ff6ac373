import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Database } from '../../database/database.js';
import { addJobSql, jobExistsSql } from '../../platform/jobs/jobs.statements.js';
import { WorkflowEntity } from './workflow.entity.js';
import { scheduleTask } from './workflow-tasks.js';

export type Scheduled = Pick<WorkflowEntity, 'id' | 'organizationId' | 'enabled' | 'triggerType' | 'cron' | 'timeZone'>;

const lockDue = `
  SELECT id, organization_id AS "organizationId", enabled, trigger_type AS "triggerType", cron, time_zone AS "timeZone"
    FROM workflows
   WHERE id = $1 AND scheduled_for = $2 AND enabled AND trigger_type = 'SCHEDULE'
     FOR NO KEY UPDATE`;

const job = {
  payload: `json_build_object('workflowId', w.id, 'time', w.scheduled_for)`,
  id: 'w.id',
  runAt: 'w.scheduled_for',
};

const queueMissing = `
  SELECT ${addJobSql(scheduleTask, job)}
    FROM workflows w
   WHERE w.enabled AND w.trigger_type = 'SCHEDULE' AND w.scheduled_for IS NOT NULL
     AND NOT ${jobExistsSql(scheduleTask, 'w.id')}`;

@Injectable()
export class ScheduleRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(WorkflowEntity) private readonly workflows: Repository<WorkflowEntity>,
  ) {}

  async setTime(id: string, scheduledFor: Date | null): Promise<void> {
    await this.workflows.update({ id }, { scheduledFor });
  }

  /** The workflow, locked, if it is scheduled for this very time. */
  lockDue(workflowId: string, time: Date): Promise<Scheduled | null> {
    return this.database.row<Scheduled>(lockDue, [workflowId, time]);
  }

  /** Queues the job of every scheduled workflow that has none. */
  async queueMissing(): Promise<void> {
    await this.database.execute(queueMissing);
  }
}
