import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Database } from '../../database/database.js';
import { queueAttempt } from '../../platform/delivery/deliveries.statements.js';
import type { PayloadRoot } from '../workflows/payload-roots.js';
import { deliveryTask } from '../workflows/workflow-tasks.js';
import type { WorkflowTriggerType } from '../vocabulary.js';
import type { StoredAction } from '../workflows/workflow-action.entity.js';
import { type PayloadVariant, type RootBytes, WorkflowRunEntity } from '../workflows/workflow-run.entity.js';
import type { WorkflowConditions } from '../workflows/workflows.dto.js';

/** An action of a run. */
export type RunAction = Pick<StoredAction, 'id' | 'resources' | 'sealed'>;

export interface PendingRun {
  id: string;
  organizationId: string;
  /** Null if somebody deleted the workflow. */
  workflowId: string | null;
  workflowEnabled: boolean;
  /** The trigger of the workflow; a run by hand or by schedule sends the subjects of that type. */
  workflowTrigger: WorkflowTriggerType;
  trigger: WorkflowTriggerType;
  subjects: string[];
  conditions: WorkflowConditions;
  scoped: boolean;
  /** The enabled ones. */
  actions: RunAction[];
}

export interface NewDelivery {
  id: string;
  actionId: string;
  urlSealed: string;
  resources: PayloadRoot[] | null;
  payloadBytes: number;
  flags: string[];
}

const lockPending = `
  SELECT r.id, r.organization_id AS "organizationId", r.workflow_id AS "workflowId",
         coalesce(w.enabled, false) AS "workflowEnabled", coalesce(w.trigger_type, r.trigger_type) AS "workflowTrigger",
         r.trigger_type AS trigger,
         r.subjects, coalesce(w.conditions, '{}') AS conditions, o.scoped_webhook_export_payload AS scoped,
         (SELECT coalesce(json_agg(json_build_object('id', a.id, 'resources', a.resources, 'sealed', a.parameters_sealed)
                                   ORDER BY a.position), '[]')
            FROM workflow_actions a WHERE a.workflow_id = r.workflow_id AND a.enabled) AS actions
    FROM workflow_runs r
    JOIN organizations o ON o.id = r.organization_id
    LEFT JOIN workflows w ON w.id = r.workflow_id
   WHERE r.id = $1 AND r.status = 'PENDING'
     FOR NO KEY UPDATE OF r`;

const insertDeliveries = `
  WITH made AS (
    INSERT INTO webhook_deliveries
      (id, organization_id, workflow_id, action_id, run_id, url_sealed, resources, payload_bytes, status, next_attempt_at)
    SELECT d.id, r.organization_id, r.workflow_id, d."actionId", r.id, d."urlSealed", d.resources, d."payloadBytes",
           'PENDING', now()
      FROM workflow_runs r,
           jsonb_to_recordset($2::jsonb)
             AS d(id uuid, "actionId" uuid, "urlSealed" text, resources text[], "payloadBytes" bigint)
     WHERE r.id = $1
    RETURNING id, turn
  )
  SELECT ${queueAttempt(deliveryTask, 'made', { flags: 'f.flags' })}
    FROM made JOIN jsonb_to_recordset($2::jsonb) AS f(id uuid, flags text[]) ON f.id = made.id`;

@Injectable()
export class ExportsRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(WorkflowRunEntity) private readonly runs: Repository<WorkflowRunEntity>,
  ) {}

  /** Makes the current unit of work see the database as it is now; call it first. */
  async takeSnapshot(): Promise<void> {
    await this.database.execute('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
  }

  /** A pending run, locked, or null. */
  lockPending(id: string): Promise<PendingRun | null> {
    return this.database.row<PendingRun>(lockPending, [id]);
  }

  async settle(id: string, status: 'SKIPPED' | 'FAILED' | 'CANCELED', reason: string): Promise<void> {
    await this.runs.update({ id, status: 'PENDING' }, { status, reason });
  }

  /** `reason` names the actions that did not send. */
  async settleSent(id: string, shape: PayloadVariant, rootBytes: RootBytes, reason: string | null): Promise<void> {
    await this.runs.update({ id }, { status: 'SENT', shape, rootBytes, reason });
  }

  /** The present variant of an organization's exports. */
  async variantOf(organizationId: string): Promise<PayloadVariant> {
    const sql = 'SELECT scoped_webhook_export_payload AS scoped FROM organizations WHERE id = $1';
    const row = await this.database.row<{ scoped: boolean }>(sql, [organizationId]);
    return row?.scoped ? 'scoped' : 'default';
  }

  /** Makes the deliveries of a run, each with the job of its first attempt. */
  async insertDeliveries(runId: string, deliveries: NewDelivery[]): Promise<void> {
    await this.database.execute(insertDeliveries, [runId, JSON.stringify(deliveries)]);
  }
}
