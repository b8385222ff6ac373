import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database.js';
import { StockQuotas } from '../../platform/quotas/stock-quotas.js';
import { countUpTo } from '../../platform/quotas/stock-quotas.statements.js';
import { addJobSql, jobExistsSql } from '../../platform/jobs/jobs.statements.js';
import type { EventTriggerType, WorkflowTriggerType } from '../vocabulary.js';
import { runDeliveries } from './run-deliveries.statements.js';
import { subjectOf, type Subject } from './subjects.js';
import { runTask } from './workflow-tasks.js';
import type { WorkflowRun } from './workflows.dto.js';

export interface NewRun {
  id: string;
  organizationId: string;
  workflowId: string;
  trigger: WorkflowTriggerType;
}

const page = statement(
  'workflow-runs.page',
  `SELECT id, trigger_type AS trigger, status, reason, created_at AS "createdAt",
          ${runDeliveries('workflow_runs.id')} AS deliveries
     FROM workflow_runs
    WHERE organization_id = $1 AND workflow_id = $2 AND (created_at, id) < ($3, $4)
    ORDER BY created_at DESC, id DESC LIMIT $5`,
);

/** Locked, so that only the first of two concurrent triggers opens a window. */
const lockListening = `
  SELECT id FROM workflows WHERE organization_id = $1 AND trigger_type = $2 AND enabled ORDER BY id FOR NO KEY UPDATE`;

const jobOf = (run: string) => ({ payload: `json_build_object('runId', ${run}.id)`, id: `${run}.id` });

const nothingMatched = 'Nothing that it is about matches the conditions';

/**
 * Makes one run of a trigger ($1) for each listening workflow ($2; $3 are the runs' ids) with the subjects that match its
 * conditions, and queues the run's job. A run that waits in an open window gets the subjects instead.
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
    SELECT ${addJobSql(runTask, { ...jobOf('made'), runAt: 'made.runs_at' })}
      FROM made WHERE made.status = 'PENDING'`;
}

const insert = `
  WITH run AS (
    INSERT INTO workflow_runs (id, organization_id, workflow_id, trigger_type, status)
    VALUES ($1, $2, $3, $4, 'PENDING') RETURNING id
  )
  SELECT ${addJobSql(runTask, jobOf('run'))} FROM run`;

const queueMissing = `
  SELECT ${addJobSql(runTask, { ...jobOf('r'), runAt: 'r.runs_at' })}
    FROM workflow_runs r
   WHERE r.status = 'PENDING' AND r.runs_at < now() - interval '2 minutes' AND NOT ${jobExistsSql(runTask, 'r.id')}`;

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

  /** The ids of the enabled workflows that listen to a type of trigger. */
  async lockListening(organizationId: string, type: EventTriggerType): Promise<string[]> {
    const rows = await this.database.rows<{ id: string }>(lockListening, [organizationId, type]);
    return rows.map(({ id }) => id);
  }

  /** Turns a trigger into runs of these ids, one for each workflow. */
  async makeRuns(triggerId: string, type: EventTriggerType, workflowIds: string[], runIds: string[]): Promise<void> {
    await this.database.execute(makeRuns(subjectOf[type]), [triggerId, workflowIds, runIds]);
  }

  /** Like `insert`, for a run on request; `RateExceeded` where too many already wait. */
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
