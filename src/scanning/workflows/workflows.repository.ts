import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Not, Repository } from 'typeorm';
import { Database, statement } from '../../database/database.js';
import { isoTimestamp } from '../../database/iso-timestamp.js';
import { StockQuotas } from '../../platform/quotas/stock-quotas.js';
import { countUpTo } from '../../platform/quotas/stock-quotas.statements.js';
import { runDeliveries } from './run-deliveries.statements.js';
import { type StoredAction, WorkflowActionEntity } from './workflow-action.entity.js';
import { type StoredWorkflow, WorkflowEntity } from './workflow.entity.js';
import { type ListedWorkflow, mostFailing } from './workflows.dto.js';

/** The own columns of a workflow. */
export type WorkflowColumns = Omit<StoredWorkflow, 'createdAt' | 'updatedAt' | 'scheduledFor' | 'actions'>;

/** The health of a workflow. */
export type Fares = Pick<ListedWorkflow, 'lastRun' | 'failingDeliveries'>;

const columns = `
  w.id, w.name, w.enabled, w.trigger_type AS "triggerType", w.cron, w.time_zone AS "timeZone", w.conditions,
  w.throttle_ms AS "throttleMs", w.scheduled_for AS "scheduledFor",
  w.created_at AS "createdAt", w.updated_at AS "updatedAt",
  (SELECT coalesce(json_agg(json_build_object(
            'id', a.id, 'type', a.type, 'kind', a.kind, 'digest', a.digest, 'inParts', a.in_parts, 'enabled', a.enabled, 'disabledReason', a.disabled_reason, 'resources', a.resources,
            'sealed', a.parameters_sealed) ORDER BY a.position), '[]')
     FROM workflow_actions a WHERE a.workflow_id = w.id) AS actions`;

/** The newest run of a workflow, and the number of its failing deliveries. */
const fares = `
  (SELECT json_build_object('id', r.id, 'trigger', r.trigger_type, 'status', r.status, 'reason', r.reason,
                            'createdAt', ${isoTimestamp('r.created_at')}, 'deliveries', ${runDeliveries('r.id')})
     FROM (SELECT * FROM workflow_runs WHERE workflow_id = w.id ORDER BY created_at DESC, id DESC LIMIT 1) AS r) AS "lastRun",
  (SELECT count(*)::integer
     FROM (SELECT FROM webhook_deliveries
            WHERE workflow_id = w.id AND status IN ('RETRYING', 'EXHAUSTED') LIMIT ${mostFailing}) AS d) AS "failingDeliveries"`;

export const workflowsPage = statement(
  'workflows.page',
  `SELECT ${columns}, ${fares} FROM workflows w
    WHERE w.organization_id = $1 AND (w.created_at, w.id) < ($2, $3)
    ORDER BY w.created_at DESC, w.id DESC LIMIT $4`,
);

const byId = statement(
  'workflows.by-id',
  `SELECT ${columns} FROM workflows w WHERE w.organization_id = $1 AND w.id = $2`,
);

const save = `
  INSERT INTO workflows AS w (id, organization_id, name, enabled, trigger_type, cron, time_zone, conditions, throttle_ms)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  ON CONFLICT (id) DO UPDATE SET name = excluded.name, enabled = excluded.enabled, trigger_type = excluded.trigger_type,
    cron = excluded.cron, time_zone = excluded.time_zone, conditions = excluded.conditions,
    throttle_ms = excluded.throttle_ms, updated_at = now()
  WHERE w.organization_id = excluded.organization_id`;

/** Deletes the omitted actions; an action that is enabled again loses its reason and failures. */
const saveActions = `
  WITH given AS (
    SELECT * FROM jsonb_to_recordset($2::jsonb)
      AS a(id uuid, type text, kind text, digest text, "inParts" boolean, position integer, enabled boolean, resources text[], sealed text)
  ), gone AS (
    DELETE FROM workflow_actions WHERE workflow_id = $1 AND id NOT IN (SELECT id FROM given)
  )
  INSERT INTO workflow_actions AS a (id, workflow_id, type, kind, digest, in_parts, position, enabled, resources, parameters_sealed)
  SELECT id, $1, type, kind, digest, "inParts", position, enabled, resources, sealed FROM given
  ON CONFLICT (id) DO UPDATE SET type = excluded.type, kind = excluded.kind, digest = excluded.digest,
    in_parts = excluded.in_parts, position = excluded.position, enabled = excluded.enabled, resources = excluded.resources,
    parameters_sealed = excluded.parameters_sealed,
    disabled_reason = CASE WHEN excluded.enabled THEN NULL ELSE a.disabled_reason END,
    failing_since = CASE WHEN excluded.enabled AND NOT a.enabled THEN NULL ELSE a.failing_since END`;

/** Disables the action with reason $2 at once, or with reason $3 where it has failed for $4 without a success. */
const actionFailed = `
  WITH before AS (SELECT id, enabled FROM workflow_actions WHERE id = $1 FOR NO KEY UPDATE)
  UPDATE workflow_actions a
     SET failing_since = coalesce(a.failing_since, now()),
         disabled_reason = CASE WHEN a.enabled
                                THEN coalesce($2, CASE WHEN a.failing_since < now() - $4::interval THEN $3 END)
                                ELSE a.disabled_reason END,
         enabled = a.enabled AND $2::text IS NULL AND coalesce(a.failing_since >= now() - $4::interval, true)
    FROM before, workflows w
   WHERE a.id = before.id AND w.id = a.workflow_id
  RETURNING before.enabled AS "wasEnabled", a.enabled, a.disabled_reason AS "disabledReason",
            w.id AS "workflowId", w.name AS "workflowName", w.organization_id AS "organizationId"`;

/** The action after a failure. */
export interface FailedAction {
  wasEnabled: boolean;
  enabled: boolean;
  disabledReason: string | null;
  workflowId: string;
  workflowName: string;
  organizationId: string;
}

const count = statement('workflows.count', countUpTo('workflows WHERE organization_id = $1'));

@Injectable()
export class WorkflowsRepository {
  constructor(
    private readonly database: Database,
    private readonly stockQuotas: StockQuotas,
    @InjectRepository(WorkflowEntity) private readonly workflows: Repository<WorkflowEntity>,
    @InjectRepository(WorkflowActionEntity) private readonly actions: Repository<WorkflowActionEntity>,
  ) {}

  page(organizationId: string, after: readonly unknown[], limit: number): Promise<(StoredWorkflow & Fares)[]> {
    return this.database.rows<StoredWorkflow & Fares>(workflowsPage, [organizationId, ...after, limit]);
  }

  byId(organizationId: string, id: string): Promise<StoredWorkflow | null> {
    return this.database.row<StoredWorkflow>(byId, [organizationId, id]);
  }

  /** Blocks concurrent changes of the workflow to the end of the unit; whether it exists. */
  async lock(organizationId: string, id: string): Promise<boolean> {
    const sql = 'SELECT FROM workflows WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE';
    return (await this.database.row(sql, [organizationId, id])) !== null;
  }

  /** Writes a new workflow; `QuotaExceeded` where the organization has the most that it may. */
  insert(organizationId: string, workflow: WorkflowColumns): Promise<void> {
    return this.stockQuotas.within('workflows', organizationId, count, () => this.save(organizationId, workflow));
  }

  async save(organizationId: string, workflow: WorkflowColumns): Promise<void> {
    const { id, name, enabled, triggerType, cron, timeZone, conditions, throttleMs } = workflow;
    const values = [id, organizationId, name, enabled, triggerType, cron, timeZone, conditions, throttleMs];
    await this.database.execute(save, values);
  }

  /** Replaces the actions of the workflow. */
  async saveActions(workflowId: string, actions: Omit<StoredAction, 'disabledReason'>[]): Promise<void> {
    const rows = actions.map((action, position) => ({ ...action, position }));
    await this.database.execute(saveActions, [workflowId, JSON.stringify(rows)]);
  }

  async sealAction(workflowId: string, id: string, sealed: string): Promise<void> {
    await this.actions.update({ workflowId, id }, { sealed });
  }

  async disable(organizationId: string, id: string): Promise<void> {
    await this.workflows.update({ organizationId, id }, { enabled: false });
  }

  /** Deletes a workflow with its actions. */
  async remove(organizationId: string, id: string): Promise<void> {
    await this.workflows.delete({ organizationId, id });
  }

  async actionSucceeded(actionId: string): Promise<void> {
    await this.actions.update({ id: actionId, failingSince: Not(IsNull()) }, { failingSince: null });
  }

  /**
   * Records a failure; disables the action with `reason` at once, or with `failingReason` where it has failed for
   * longer than `patience`. Null if the action is gone.
   */
  actionFailed(
    actionId: string,
    reason: string | null,
    failingReason: string,
    patience: string,
  ): Promise<FailedAction | null> {
    return this.database.row<FailedAction>(actionFailed, [actionId, reason, failingReason, patience]);
  }
}
