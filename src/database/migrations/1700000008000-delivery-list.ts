import type { MigrationInterface, QueryRunner } from 'typeorm';

const canceledRuns = `
ALTER TABLE workflow_runs
  DROP CONSTRAINT workflow_runs_status_check,
  ADD CONSTRAINT workflow_runs_status_check
    CHECK (status IN ('PENDING', 'SENT', 'SKIPPED', 'FAILED', 'CANCELED'));
`;

/** For the deliveries of all workflows or some, by status; the first replaces the index on the organization alone. */
const lists = `
CREATE INDEX webhook_deliveries_status_idx ON webhook_deliveries (organization_id, status, created_at DESC, id DESC);
CREATE INDEX webhook_deliveries_workflow_status_idx ON webhook_deliveries (workflow_id, status, created_at DESC, id DESC);
DROP INDEX webhook_deliveries_organization_idx;
`;

/** What was pending when its action was deleted was only shown as cancelled. */
const orphans = `
UPDATE webhook_deliveries SET status = 'CANCELED', next_attempt_at = NULL, finished_at = now()
 WHERE action_id IS NULL AND status IN ('PENDING', 'RETRYING') AND claimed_by IS NULL
`;

/** Runs and deliveries that are cancelled as such, and a list of deliveries over all workflows. */
export class DeliveryList1700000008000 implements MigrationInterface {
  name = 'DeliveryList1700000008000';

  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [canceledRuns, lists, orphans]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX webhook_deliveries_organization_idx ON webhook_deliveries (organization_id)');
    await runner.query('DROP INDEX webhook_deliveries_status_idx, webhook_deliveries_workflow_status_idx');
    await runner.query(`UPDATE workflow_runs SET status = 'SKIPPED' WHERE status = 'CANCELED'`);
    await runner.query(`
      ALTER TABLE workflow_runs
        DROP CONSTRAINT workflow_runs_status_check,
        ADD CONSTRAINT workflow_runs_status_check CHECK (status IN ('PENDING', 'SENT', 'SKIPPED', 'FAILED'))`);
  }
}
