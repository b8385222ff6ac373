import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database.js';
import { countUpTo, StockQuotas } from '../../database/stock-quotas.js';
import type { EventTriggerType, WorkflowTriggerType } from '../vocabulary.js';
import { subjectOf, type Subject } from './subjects.js';
import type { WorkflowRun } from './workflows.shapes.js';

/** The task that gathers what a run sends, and hands it to its deliveries. */
export const runTask = 'workflow-run';

export interface RecordedTrigger {
  organizationId: string;
  type: EventTriggerType;
}

export interface NewRun {
  id: string;
  organizationId: string;
  workflowId: string;
  trigger: WorkflowTriggerType;
}

const page = statement(
  'workflow-runs.page',
  `SELECT id, trigger_type AS trigger, status, reason, created_at AS "createdAt" FROM workflow_runs
    WHERE organization_id = $1 AND workflow_id = $2 AND (created_at, id) < ($3, $4)
    ORDER BY created_at DESC, id DESC LIMIT $5`,
);

const lockTrigger = `
  SELECT organization_id AS "organizationId", type FROM workflow_triggers WHERE id = $1 FOR UPDATE`;

/** Locked, so that of two triggers of one moment only the first opens a window. */
const lockListening = `
  SELECT id FROM workflows WHERE organization_id = $1 AND trigger_type = $2 AND enabled ORDER BY id FOR NO KEY UPDATE`;

const nothingMatched = 'Nothing that it is about matches the conditions';

/**
 * Makes of a trigger ($1) one run for each workflow listening ($2, with the ids $3 for their runs), with the subjects
 * that match its conditions, and the run's job; where a run of the workflow waits in an open window, that one gets them.
 */
function makeRuns({ table, matches }: Subject): string {
  return `
    WITH trigger AS MATERIALIZED (SELECT * FROM workflow_triggers WHERE id = $1),
    listening AS (
      SELECT w.id, w.conditions, w.throttle_ms, given.run_id, t.organization_id, t.type, t.created_at
        FROM unnest($2::uuid[], $3::uuid[]) AS given(workflow_id, run_id)
        JOIN workflows w ON w.id = given.workflow_id
       CROSS JOIN trigger t
    ), subjects AS (
      SELECT s.* FROM trigger t
       CROSS JOIN LATERAL jsonb_array_elements_text(t.subjects) AS named(id)
        JOIN ${table} s ON s.id = named.id::uuid AND s.organization_id = t.organization_id
    ), matched AS (
      SELECT l.id AS workflow_id, jsonb_agg(s.id) AS ids
        FROM listening l JOIN subjects s ON ${matches('s', 'l.conditions')}
       GROUP BY l.id
    ), gathered AS (
      UPDATE workflow_runs r
         SET subjects = (SELECT jsonb_agg(DISTINCT e.id) FROM jsonb_array_elements(r.subjects || m.ids) AS e(id))
        FROM matched m JOIN listening l ON l.id = m.workflow_id
       WHERE l.throttle_ms > 0 AND r.workflow_id = l.id AND r.status = 'PENDING' AND r.trigger_type = l.type
         AND r.runs_at > l.created_at
      RETURNING r.workflow_id
    ), made AS (
      INSERT INTO workflow_runs (id, organization_id, workflow_id, trigger_type, subjects, status, reason, runs_at)
      SELECT l.run_id, l.organization_id, l.id, l.type, coalesce(m.ids, '[]'),
             CASE WHEN m.ids IS NULL THEN 'SKIPPED' ELSE 'PENDING' END,
             CASE WHEN m.ids IS NULL THEN '${nothingMatched}' END,
             l.created_at + l.throttle_ms * interval '1 ms'
        FROM listening l LEFT JOIN matched m ON m.workflow_id = l.id
       WHERE l.id NOT IN (SELECT workflow_id FROM gathered)
      RETURNING id, status, runs_at
    )
    SELECT graphile_worker.add_job(
             identifier => '${runTask}', payload => json_build_object('runId', made.id), run_at => made.runs_at,
             job_key => '${runTask}:' || made.id)
      FROM made WHERE made.status = 'PENDING'`;
}

const insert = `
  WITH run AS (
    INSERT INTO workflow_runs (id, organization_id, workflow_id, trigger_type, status)
    VALUES ($1, $2, $3, $4, 'PENDING') RETURNING id
  )
  SELECT graphile_worker.add_job(
           identifier => '${runTask}', payload => json_build_object('runId', run.id), job_key => '${runTask}:' || run.id)
    FROM run`;

const queueMissing = `
  SELECT graphile_worker.add_job(
           identifier => '${runTask}', payload => json_build_object('runId', r.id), run_at => r.runs_at,
           job_key => '${runTask}:' || r.id)
    FROM workflow_runs r
   WHERE r.status = 'PENDING' AND r.runs_at < now() - interval '2 minutes' AND NOT EXISTS (
           SELECT FROM graphile_worker.jobs j
            WHERE j.key = '${runTask}:' || r.id AND (j.locked_at IS NOT NULL OR j.attempts < j.max_attempts))`;

const countOpen = statement(
  'workflow-runs.count-open',
  countUpTo(`workflow_runs WHERE organization_id = $1 AND status = 'PENDING'`),
);

@Injectable()
export class RunsRepository {
  constructor(
    private readonly database: Database,
    private readonly stockQuotas: StockQuotas,
  ) {}

  page(organizationId: string, workflowId: string, after: readonly unknown[], limit: number): Promise<WorkflowRun[]> {
    return this.database.rows<WorkflowRun>(page, [organizationId, workflowId, ...after, limit]);
  }

  /** A recorded trigger, locked, or null where it was handled already. */
  lockTrigger(id: string): Promise<RecordedTrigger | null> {
    return this.database.row<RecordedTrigger>(lockTrigger, [id]);
  }

  async lockListening({ organizationId, type }: RecordedTrigger): Promise<string[]> {
    const rows = await this.database.rows<{ id: string }>(lockListening, [organizationId, type]);
    return rows.map(({ id }) => id);
  }

  /** Turns a trigger into runs, whose ids are given, one for each workflow. */
  async makeRuns(triggerId: string, type: EventTriggerType, workflowIds: string[], runIds: string[]): Promise<void> {
    await this.database.execute(makeRuns(subjectOf[type]), [triggerId, workflowIds, runIds]);
  }

  async removeTrigger(id: string): Promise<void> {
    await this.database.execute('DELETE FROM workflow_triggers WHERE id = $1', [id]);
  }

  /** As `insert`, for a run that somebody asked for; `RateExceeded` where too many wait already. */
  insertAsked(run: NewRun): Promise<void> {
    return this.stockQuotas.within('openRuns', run.organizationId, countOpen, () => this.insert(run));
  }

  async insert({ id, organizationId, workflowId, trigger }: NewRun): Promise<void> {
    await this.database.execute(insert, [id, organizationId, workflowId, trigger]);
  }

  /** Queues the jobs of runs that lost theirs. */
  async queueMissing(): Promise<void> {
    await this.database.execute(queueMissing);
  }
}
