import { Injectable } from '@nestjs/common';
import type { CursorPosition } from '../../common/http/cursor.js';
import { Database, statement } from '../../database/database.js';
import { countUpTo, StockQuotas } from '../../database/stock-quotas.js';
import type { WorkflowTriggerType } from '../vocabulary.js';
import type { PayloadRoot } from './payload-roots.js';
import type { WorkflowConditions } from './workflows.shapes.js';

export interface StoredAction {
  id: string;
  enabled: boolean;
  disabledReason: string | null;
  resources: PayloadRoot[] | null;
  sealed: string;
}

export interface StoredWorkflow extends CursorPosition {
  id: string;
  name: string;
  enabled: boolean;
  triggerType: WorkflowTriggerType;
  cron: string | null;
  timeZone: string;
  conditions: WorkflowConditions;
  throttleMs: number;
  scheduledFor: Date | null;
  createdAt: Date;
  updatedAt: Date;
  actions: StoredAction[];
}

/** What is written of a workflow itself. */
export type WorkflowColumns = Omit<StoredWorkflow, 'createdAt' | 'updatedAt' | 'scheduledFor' | 'actions'>;

const columns = `
  w.id, w.name, w.enabled, w.trigger_type AS "triggerType", w.cron, w.time_zone AS "timeZone", w.conditions,
  w.throttle_ms AS "throttleMs", w.scheduled_for AS "scheduledFor",
  w.created_at AS "createdAt", w.updated_at AS "updatedAt",
  (SELECT coalesce(json_agg(json_build_object(
            'id', a.id, 'enabled', a.enabled, 'disabledReason', a.disabled_reason, 'resources', a.resources,
            'sealed', a.parameters_sealed) ORDER BY a.position), '[]')
     FROM workflow_actions a WHERE a.workflow_id = w.id) AS actions`;

const page = statement(
  'workflows.page',
  `SELECT ${columns} FROM workflows w
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

/** The actions left out go; one that comes back enabled begins anew. */
const saveActions = `
  WITH given AS (
    SELECT * FROM jsonb_to_recordset($2::jsonb)
      AS a(id uuid, position integer, enabled boolean, resources text[], sealed text)
  ), gone AS (
    DELETE FROM workflow_actions WHERE workflow_id = $1 AND id NOT IN (SELECT id FROM given)
  )
  INSERT INTO workflow_actions AS a (id, workflow_id, position, enabled, resources, parameters_sealed)
  SELECT id, $1, position, enabled, resources, sealed FROM given
  ON CONFLICT (id) DO UPDATE SET position = excluded.position, enabled = excluded.enabled, resources = excluded.resources,
    parameters_sealed = excluded.parameters_sealed,
    disabled_reason = CASE WHEN excluded.enabled THEN NULL ELSE a.disabled_reason END,
    failing_since = CASE WHEN excluded.enabled AND NOT a.enabled THEN NULL ELSE a.failing_since END`;

const sealAction = `
  UPDATE workflow_actions a SET parameters_sealed = $3
    FROM workflows w WHERE a.id = $2 AND w.id = a.workflow_id AND w.organization_id = $1`;

const count = statement('workflows.count', countUpTo('workflows WHERE organization_id = $1'));

@Injectable()
export class WorkflowsRepository {
  constructor(
    private readonly database: Database,
    private readonly stockQuotas: StockQuotas,
  ) {}

  page(organizationId: string, after: readonly unknown[], limit: number): Promise<StoredWorkflow[]> {
    return this.database.rows<StoredWorkflow>(page, [organizationId, ...after, limit]);
  }

  byId(organizationId: string, id: string): Promise<StoredWorkflow | null> {
    return this.database.row<StoredWorkflow>(byId, [organizationId, id]);
  }

  /** Keeps others from changing the workflow until the end of the unit; answers whether there is one. */
  async lock(organizationId: string, id: string): Promise<boolean> {
    const sql = 'SELECT FROM workflows WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE';
    return (await this.database.row(sql, [organizationId, id])) !== null;
  }

  /** Writes a new workflow; `QuotaExceeded` where the organization has as many as it may. */
  insert(organizationId: string, workflow: WorkflowColumns): Promise<void> {
    return this.stockQuotas.within('workflows', organizationId, count, () => this.save(organizationId, workflow));
  }

  async save(organizationId: string, workflow: WorkflowColumns): Promise<void> {
    const { id, name, enabled, triggerType, cron, timeZone, conditions, throttleMs } = workflow;
    const values = [id, organizationId, name, enabled, triggerType, cron, timeZone, conditions, throttleMs];
    await this.database.execute(save, values);
  }

  /** Puts these actions in place of those that the workflow has. */
  async saveActions(workflowId: string, actions: Omit<StoredAction, 'disabledReason'>[]): Promise<void> {
    const rows = actions.map((action, position) => ({ ...action, position }));
    await this.database.execute(saveActions, [workflowId, JSON.stringify(rows)]);
  }

  async sealAction(organizationId: string, id: string, sealed: string): Promise<void> {
    await this.database.execute(sealAction, [organizationId, id, sealed]);
  }

  async disable(organizationId: string, id: string): Promise<void> {
    const sql = 'UPDATE workflows SET enabled = false WHERE organization_id = $1 AND id = $2';
    await this.database.execute(sql, [organizationId, id]);
  }

  /** Deletes a workflow with its actions. */
  async remove(organizationId: string, id: string): Promise<void> {
    const sql = 'DELETE FROM workflows WHERE organization_id = $1 AND id = $2';
    await this.database.execute(sql, [organizationId, id]);
  }
}
