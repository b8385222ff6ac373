import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What an action has gathered for its next digest: the subjects of each run, until they become a run of their own. */
const gatherings = `
CREATE TABLE workflow_gatherings (
  action_id uuid NOT NULL CONSTRAINT workflow_gatherings_action_id_fkey
    REFERENCES workflow_actions (id) ON DELETE CASCADE,
  run_id uuid NOT NULL,
  trigger_type text NOT NULL,
  subjects jsonb NOT NULL,
  due_at timestamptz(3) NOT NULL,
  CONSTRAINT workflow_gatherings_pkey PRIMARY KEY (action_id, run_id)
)`;

const columns = [
  'ALTER TABLE workflow_actions ADD COLUMN digest text',
  'ALTER TABLE workflow_runs ADD COLUMN digest_action_id uuid',
  'ALTER TABLE workflow_runs ADD COLUMN seen_until timestamptz(3)',
];

export class WorkflowDigests1764340000002 implements MigrationInterface {
  name = 'WorkflowDigests1764340000002';

  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [gatherings, ...columns]) await runner.query(sql);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only add: restore a backup of before instead'));
  }
}
