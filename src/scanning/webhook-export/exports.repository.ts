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
import type { PartRanges } from './payload-parts.js';
import type { WorkflowConditions } from '../workflows/workflows.dto.js';

/** An action of a run. */
export type RunAction = Pick<StoredAction, 'id' | 'kind' | 'digest' | 'resources' | 'inParts' | 'sealed'>;

export interface PendingRun {
  id: string;
  organizationId: string;
  organization: { id: string; name: string };
  /** Null if somebody deleted the workflow. */
  workflowId: string | null;
  workflow: { id: string; name: string };
  workflowEnabled: boolean;
  /** The trigger of the workflow; a run by hand or by schedule sends the subjects of that type. */
  workflowTrigger: WorkflowTriggerType;
  trigger: WorkflowTriggerType;
  timeZone: string;
  /** The action whose digest it is. */
  digestActionId: string | null;
  /** With the condition `changedSinceLast`, the time since which changes are new; null for everything. */
  changedSince: Date | null;
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
  /** The body of a notification; null for the payload of the run. */
  bodySealed: string | null;
  resources: PayloadRoot[] | null;
  payloadBytes: number;
  part: number | null;
  parts: number | null;
  partRanges: PartRanges | null;
  flags: string[];
}

const lockPending = `
  SELECT r.id, r.organization_id AS "organizationId", r.workflow_id AS "workflowId",
         json_build_object('id', o.id, 'name', o.name) AS organization,
         json_build_object('id', coalesce(w.id, r.id), 'name', coalesce(w.name, '')) AS workflow,
         coalesce(w.enabled, false) AS "workflowEnabled", coalesce(w.trigger_type, r.trigger_type) AS "workflowTrigger",
         r.trigger_type AS trigger, coalesce(w.time_zone, 'UTC') AS "timeZone", r.digest_action_id AS "digestActionId",
         CASE WHEN w.trigger_type = 'SCHEDULE' AND w.conditions->'changedSinceLast' = 'true' THEN (
           SELECT seen_until FROM workflow_runs last WHERE last.workflow_id = w.id AND last.seen_until IS NOT NULL
            ORDER BY last.created_at DESC LIMIT 1) END AS "changedSince",
         r.subjects, coalesce(w.conditions, '{}') AS conditions, o.scoped_webhook_export_payload AS scoped,
         (SELECT coalesce(json_agg(json_build_object('id', a.id, 'kind', a.kind, 'digest', a.digest, 'resources', a.resources,
                                                     'inParts', a.in_parts,
                                                     'sealed', a.parameters_sealed)
                                   ORDER BY a.position), '[]')
            FROM workflow_actions a WHERE a.workflow_id = r.workflow_id AND a.enabled
             AND (r.digest_action_id IS NULL OR a.id = r.digest_action_id)) AS actions
    FROM workflow_runs r
    JOIN organizations o ON o.id = r.organization_id
    LEFT JOIN workflows w ON w.id = r.workflow_id
   WHERE r.id = $1 AND r.status = 'PENDING'
     FOR NO KEY UPDATE OF r`;

/** Workers of the queue keep a transaction open for as long as they live, and write nothing in it. */
const horizon = `
  SELECT least(now(), min(xact_start)) AS at FROM pg_stat_activity
   WHERE datname = current_database() AND backend_type = 'client backend'
     AND application_name <> 'store-service jobs'`;

const insertDeliveries = `
  WITH made AS (
    INSERT INTO webhook_deliveries
      (id, organization_id, workflow_id, action_id, run_id, url_sealed, body_sealed, resources, payload_bytes, status,
       part, parts, part_ranges, next_attempt_at)
    SELECT d.id, r.organization_id, r.workflow_id, d."actionId", r.id, d."urlSealed", d."bodySealed", d.resources, d."payloadBytes",
           'PENDING', d.part, d.parts, d."partRanges", CASE WHEN coalesce(d.part, 1) = 1 THEN now() END
      FROM workflow_runs r,
           jsonb_to_recordset($2::jsonb)
             AS d(id uuid, "actionId" uuid, "urlSealed" text, "bodySealed" text, resources text[], "payloadBytes" bigint, part integer,
                  parts integer, "partRanges" jsonb)
     WHERE r.id = $1
    RETURNING id, turn, part
  )
  SELECT ${queueAttempt(deliveryTask, 'made', { flags: 'f.flags' })}
    FROM made JOIN jsonb_to_recordset($2::jsonb) AS f(id uuid, flags text[]) ON f.id = made.id
   WHERE coalesce(made.part, 1) = 1`;

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
  async settleSent(
    id: string,
    shape: PayloadVariant,
    rootBytes: RootBytes,
    { reason, seenUntil }: { reason: string | null; seenUntil: Date | null },
  ): Promise<void> {
    await this.runs.update({ id }, { status: 'SENT', shape, rootBytes, reason, seenUntil });
  }

  /**
   * A time before which nothing can become visible any more: the start of the oldest transaction under way. Ask for it
   * before the snapshot.
   */
  async horizon(): Promise<Date> {
    const { at } = await this.database.one<{ at: Date }>(horizon);
    return at;
  }

  /** The name of an organization, and the present variant of its exports. */
  async organizationOf(organizationId: string): Promise<{ name: string; variant: PayloadVariant }> {
    const sql = 'SELECT name, scoped_webhook_export_payload AS scoped FROM organizations WHERE id = $1';
    const row = await this.database.row<{ name: string; scoped: boolean }>(sql, [organizationId]);
    return { name: row?.name ?? '', variant: row?.scoped ? 'scoped' : 'default' };
  }

  /** Makes the deliveries of a run, each with the job of its first attempt; a later part waits for the one before. */
  async insertDeliveries(runId: string, deliveries: NewDelivery[]): Promise<void> {
    await this.database.execute(insertDeliveries, [runId, JSON.stringify(deliveries)]);
  }
}
