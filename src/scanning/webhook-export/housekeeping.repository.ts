import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';

/** How many rows go at once, so that no lock is held for long. */
const batch = 2_000;

const forgetPayloads = `
  WITH old AS (
    SELECT r.id FROM workflow_runs r
     WHERE r.root_bytes IS NOT NULL AND r.created_at < now() - $1 * interval '1 day'
       AND NOT EXISTS (SELECT FROM webhook_deliveries d WHERE d.run_id = r.id AND d.status IN ('PENDING', 'RETRYING'))
     LIMIT ${batch}
  ), pieces AS (
    DELETE FROM workflow_run_payloads p USING old WHERE p.run_id = old.id
  )
  UPDATE workflow_runs r SET root_bytes = NULL FROM old WHERE r.id = old.id`;

const forgetRuns = `
  DELETE FROM workflow_runs r
   WHERE r.id IN (SELECT id FROM workflow_runs
                   WHERE status <> 'PENDING' AND created_at < now() - $1 * interval '1 day' LIMIT ${batch})
     AND NOT EXISTS (SELECT FROM webhook_deliveries d WHERE d.run_id = r.id AND d.status IN ('PENDING', 'RETRYING'))`;

const forgetJobs = `
  SELECT graphile_worker.complete_jobs(ARRAY(
    SELECT id FROM graphile_worker.jobs
     WHERE attempts >= max_attempts AND locked_at IS NULL AND updated_at < now() - $1 * interval '1 day'
     LIMIT ${batch}))`;

@Injectable()
export class HousekeepingRepository {
  constructor(private readonly database: Database) {}

  /** Throws away payloads that no replay can want any more. */
  async forgetPayloads(days: number): Promise<void> {
    await this.untilDone(forgetPayloads, days);
  }

  /** Throws away old runs with their deliveries. */
  async forgetRuns(days: number): Promise<void> {
    await this.untilDone(forgetRuns, days);
  }

  /** Throws away jobs that will not be tried again. */
  async forgetJobs(days: number): Promise<void> {
    await this.untilDone(forgetJobs, days);
  }

  private async untilDone(sql: string, days: number): Promise<void> {
    while ((await this.database.execute(sql, [days])) === batch);
  }
}
