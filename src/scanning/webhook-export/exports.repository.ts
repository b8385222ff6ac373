import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { WorkflowTriggerType } from '../vocabulary.js';
import type { PayloadRoot } from '../workflows/payload-roots.js';
import type { WorkflowConditions } from '../workflows/workflows.shapes.js';
import type { PayloadShape } from './payload-rows.repository.js';
import type { RootBytes } from './payload-store.js';

/** An action that a run exports by. */
export interface RunAction {
  id: string;
  resources: PayloadRoot[] | null;
  sealed: string;
}

export interface PendingRun {
  id: string;
  organizationId: string;
  /** Null where the workflow was deleted meanwhile. */
  workflowId: string | null;
  workflowEnabled: boolean;
  /** What sets the workflow off; a run by hand or by schedule sends what that may send. */
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
  SELECT graphile_worker.add_job(
           identifier => $3, payload => json_build_object('deliveryId', made.id, 'turn', made.turn),
           job_key => $3 || ':' || made.id, flags => f.flags)
    FROM made JOIN jsonb_to_recordset($2::jsonb) AS f(id uuid, flags text[]) ON f.id = made.id`;

@Injectable()
export class ExportsRepository {
  constructor(private readonly database: Database) {}

  /** From here on the unit under way sees the database as it is now; call it first. */
  async holdStill(): Promise<void> {
    await this.database.execute('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
  }

  /** A run that is still to be sent, locked, or null. */
  lockPending(id: string): Promise<PendingRun | null> {
    return this.database.row<PendingRun>(lockPending, [id]);
  }

  async settle(id: string, status: 'SKIPPED' | 'FAILED' | 'CANCELED', reason: string): Promise<void> {
    const sql = `UPDATE workflow_runs SET status = $2, reason = $3 WHERE id = $1 AND status = 'PENDING'`;
    await this.database.execute(sql, [id, status, reason]);
  }

  /** `reason` says what was not sent. */
  async settleSent(id: string, shape: PayloadShape, rootBytes: RootBytes, reason: string | null): Promise<void> {
    const sql = `UPDATE workflow_runs SET status = 'SENT', shape = $2, root_bytes = $3, reason = $4 WHERE id = $1`;
    await this.database.execute(sql, [id, shape, rootBytes, reason]);
  }

  /** The shape that an organization's exports have now. */
  async shapeOf(organizationId: string): Promise<PayloadShape> {
    const sql = 'SELECT scoped_webhook_export_payload AS scoped FROM organizations WHERE id = $1';
    const row = await this.database.row<{ scoped: boolean }>(sql, [organizationId]);
    return row?.scoped ? 'scoped' : 'default';
  }

  /** Makes the deliveries of a run, each with the job of its first attempt. */
  async insertDeliveries(runId: string, deliveries: NewDelivery[], task: string): Promise<void> {
    await this.database.execute(insertDeliveries, [runId, JSON.stringify(deliveries), task]);
  }
}
