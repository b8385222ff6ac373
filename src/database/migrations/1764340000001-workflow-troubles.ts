import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What does not work of a workflow, and of which its organization's admins are told: an action, or the runs themselves. */
const troubles = `
CREATE TABLE workflow_troubles (
  id uuid CONSTRAINT workflow_troubles_pkey PRIMARY KEY,
  workflow_id uuid NOT NULL CONSTRAINT workflow_troubles_workflow_id_fkey REFERENCES workflows (id) ON DELETE CASCADE,
  reason text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
)`;

export class WorkflowTroubles1764340000001 implements MigrationInterface {
  name = 'WorkflowTroubles1764340000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(troubles);
    await runner.query('CREATE INDEX workflow_troubles_workflow_idx ON workflow_troubles (workflow_id)');
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only add: restore a backup of before instead'));
  }
}
