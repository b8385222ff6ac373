import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';

/** How many rows go at once, so that no lock is held for long. */
const batch = 2_000;

const removePayloads = `
  WITH old AS (
    SELECT r.id FROM workflow_runs r
     WHERE r.root_bytes IS NOT NULL AND r.created_at < now() - $1 * interval '1 day'
       AND NOT EXISTS (SELECT FROM webhook_deliveries d WHERE d.run_id = r.id AND d.status IN ('PENDING', 'RETRYING'))
     LIMIT ${batch}
  ), chunks AS (
    DELETE FROM workflow_run_payloads p USING old WHERE p.run_id = old.id
  )
  UPDATE workflow_runs r SET root_bytes = NULL FROM old WHERE r.id = old.id`;

const removeRuns = `
  DELETE FROM workflow_runs r
   WHERE r.id IN (SELECT id FROM workflow_runs
                   WHERE status <> 'PENDING' AND created_at < now() - $1 * interval '1 day' LIMIT ${batch})
     AND NOT EXISTS (SELECT FROM webhook_deliveries d WHERE d.run_id = r.id AND d.status IN ('PENDING', 'RETRYING'))`;

@Injectable()
export class HousekeepingRepository {
  constructor(private readonly database: Database) {}

  /** Removes payloads that are too old to be replayed. */
  async removePayloads(days: number): Promise<void> {
    await this.untilDone(removePayloads, days);
  }

  /** Removes old runs with their deliveries. */
  async removeRuns(days: number): Promise<void> {
    await this.untilDone(removeRuns, days);
  }

  private async untilDone(sql: string, days: number): Promise<void> {
    while ((await this.database.execute(sql, [days])) === batch);
  }
}
