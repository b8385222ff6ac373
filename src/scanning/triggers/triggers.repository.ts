import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Database, statement } from '../../database/database.js';
import { addJobSql } from '../../platform/jobs/jobs.statements.js';
import type { EventTriggerType } from '../vocabulary.js';
import { triggerTask } from './trigger-task.js';
import { WorkflowTriggerEntity } from './workflow-trigger.entity.js';

export type RecordedTrigger = Pick<WorkflowTriggerEntity, 'organizationId' | 'type'>;

const insertWithJob = statement(
  'triggers.insert',
  `WITH trigger AS (
     INSERT INTO workflow_triggers (id, organization_id, type, subjects)
     SELECT $1::uuid, $2::uuid, $3::text, $4::jsonb
      WHERE EXISTS (SELECT FROM workflows WHERE organization_id = $2 AND trigger_type = $3 AND enabled)
     RETURNING id
   )
   SELECT j.id FROM trigger t,
     LATERAL ${addJobSql(triggerTask, { payload: `json_build_object('triggerId', t.id)` })} AS j`,
);

const lock = `
  SELECT organization_id AS "organizationId", type FROM workflow_triggers WHERE id = $1 FOR UPDATE`;

@Injectable()
export class TriggersRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(WorkflowTriggerEntity) private readonly triggers: Repository<WorkflowTriggerEntity>,
  ) {}

  /** Writes the trigger and its job, where any enabled workflow listens. */
  async insert(id: string, organizationId: string, type: EventTriggerType, subjectIds: string[]): Promise<void> {
    await this.database.execute(insertWithJob, [id, organizationId, type, JSON.stringify(subjectIds)]);
  }

  lock(id: string): Promise<RecordedTrigger | null> {
    return this.database.row<RecordedTrigger>(lock, [id]);
  }

  async remove(id: string): Promise<void> {
    await this.triggers.delete({ id });
  }
}
