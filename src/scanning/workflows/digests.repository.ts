import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { addJobSql, jobExistsSql } from '../../platform/jobs/jobs.statements.js';
import type { WorkflowTriggerType } from '../vocabulary.js';
import { digestTask, runTask } from './workflow-tasks.js';

/** The subjects of a run, for the digest of an action. */
export interface Gathering {
  actionId: string;
  runId: string;
  trigger: WorkflowTriggerType;
  subjects: string[];
  dueAt: Date;
}

const jobOf = (row: string) => ({
  payload: `json_build_object('actionId', ${row}.action_id)`,
  id: `${row}.action_id`,
  runAt: `${row}.due_at`,
});

const gather = `
  WITH added AS (
    INSERT INTO workflow_gatherings (action_id, run_id, trigger_type, subjects, due_at)
    VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING RETURNING action_id, due_at
  )
  SELECT ${addJobSql(digestTask, jobOf('added'))} FROM added WHERE NOT ${jobExistsSql(digestTask, 'added.action_id')}`;

/**
 * Turns what an action ($1) has gathered into one run ($2), with its job. Whoever comes second finds nothing. What another
 * trigger gathered, before somebody changed it, is dropped.
 */
const flush = `
  WITH gone AS (
    DELETE FROM workflow_gatherings WHERE action_id = $1 RETURNING trigger_type, subjects
  ), run AS (
    INSERT INTO workflow_runs (id, organization_id, workflow_id, trigger_type, subjects, status, digest_action_id)
    SELECT $2, w.organization_id, w.id, w.trigger_type, gathered.ids, 'PENDING', a.id
      FROM workflow_actions a JOIN workflows w ON w.id = a.workflow_id
     CROSS JOIN LATERAL (
       SELECT jsonb_agg(DISTINCT one.id) AS ids FROM gone, jsonb_array_elements(gone.subjects) AS one(id)
        WHERE gone.trigger_type = w.trigger_type) AS gathered
     WHERE a.id = $1 AND gathered.ids IS NOT NULL
    RETURNING id
  )
  SELECT ${addJobSql(runTask, { payload: `json_build_object('runId', run.id)`, id: 'run.id' })} FROM run`;

const queueMissing = `
  SELECT ${addJobSql(digestTask, jobOf('g'))}
    FROM (SELECT action_id, min(due_at) AS due_at FROM workflow_gatherings GROUP BY action_id) AS g
   WHERE NOT ${jobExistsSql(digestTask, 'g.action_id')}`;

@Injectable()
export class DigestsRepository {
  constructor(private readonly database: Database) {}

  async gather({ actionId, runId, trigger, subjects, dueAt }: Gathering): Promise<void> {
    await this.database.execute(gather, [actionId, runId, trigger, JSON.stringify(subjects), dueAt]);
  }

  /** Makes the run of what was gathered. */
  async flush(actionId: string, runId: string): Promise<void> {
    await this.database.execute(flush, [actionId, runId]);
  }

  /** Queues the job of each action that has gathered something and has none. */
  async queueMissing(): Promise<void> {
    await this.database.execute(queueMissing);
  }
}
