import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { WorkflowTriggerType } from '../vocabulary.js';

export interface Scheduled {
  id: string;
  organizationId: string;
  enabled: boolean;
  triggerType: WorkflowTriggerType;
  cron: string | null;
  timeZone: string;
}

const lockDue = `
  SELECT id, organization_id AS "organizationId", enabled, trigger_type AS "triggerType", cron, time_zone AS "timeZone"
    FROM workflows
   WHERE id = $1 AND scheduled_for = $2 AND enabled AND trigger_type = 'SCHEDULE'
     FOR NO KEY UPDATE`;

const queueMissing = `
  SELECT graphile_worker.add_job(
           identifier => $1, payload => json_build_object('workflowId', w.id, 'time', w.scheduled_for),
           run_at => w.scheduled_for, job_key => $1 || ':' || w.id)
    FROM workflows w
   WHERE w.enabled AND w.trigger_type = 'SCHEDULE' AND w.scheduled_for IS NOT NULL AND NOT EXISTS (
           SELECT FROM graphile_worker.jobs j
            WHERE j.key = $1 || ':' || w.id AND (j.locked_at IS NOT NULL OR j.attempts < j.max_attempts))`;

@Injectable()
export class ScheduleRepository {
  constructor(private readonly database: Database) {}

  async setTime(workflowId: string, time: Date | null): Promise<void> {
    await this.database.execute('UPDATE workflows SET scheduled_for = $2 WHERE id = $1', [workflowId, time]);
  }

  /** The workflow, locked, where it is scheduled for this very time. */
  lockDue(workflowId: string, time: Date): Promise<Scheduled | null> {
    return this.database.row<Scheduled>(lockDue, [workflowId, time]);
  }

  async queueMissing(task: string): Promise<void> {
    await this.database.execute(queueMissing, [task]);
  }
}
