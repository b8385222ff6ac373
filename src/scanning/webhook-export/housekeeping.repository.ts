import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';

/** The rows removed at once, so that no lock is held for long. */
const batch = 2_000;

const isSettled = `NOT EXISTS (
  SELECT FROM webhook_deliveries d WHERE d.run_id = r.id AND d.status IN ('PENDING', 'RETRYING'))`;

const withOldPayloads = `
  SELECT organization_id AS "organizationId", array_agg(id) AS "runIds"
    FROM (SELECT r.organization_id, r.id FROM workflow_runs r
           WHERE r.root_bytes IS NOT NULL AND r.created_at < now() - $1 * interval '1 day' AND ${isSettled}
           LIMIT ${batch}) AS r
   GROUP BY 1`;

const forgetPayloads = `
  UPDATE workflow_runs r SET root_bytes = NULL
   WHERE r.organization_id = $1 AND r.id = ANY($2::uuid[]) AND ${isSettled} RETURNING r.id`;

const removeRuns = `
  DELETE FROM workflow_runs r
   WHERE r.id IN (SELECT id FROM workflow_runs
                   WHERE status <> 'PENDING' AND created_at < now() - $1 * interval '1 day' LIMIT ${batch})
     AND ${isSettled}`;

/** Runs of an organization. */
export interface RunsOfOne {
  organizationId: string;
  runIds: string[];
}

@Injectable()
export class HousekeepingRepository {
  constructor(private readonly database: Database) {}

  /** Some of the runs whose payloads are too old for a replay, by organization; none where all are removed. */
  withOldPayloads(days: number): Promise<RunsOfOne[]> {
    return this.database.rows<RunsOfOne & Record<string, unknown>>(withOldPayloads, [days]);
  }

  /** Records that payloads are removed; returns the runs for which that is so, as no delivery needs them. */
  async forgetPayloads({ organizationId, runIds }: RunsOfOne): Promise<string[]> {
    const rows = await this.database.rows<{ id: string }>(forgetPayloads, [organizationId, runIds]);
    return rows.map(({ id }) => id);
  }

  /** Removes some old runs with their deliveries; returns whether there may be more. */
  async removeRuns(days: number): Promise<boolean> {
    return (await this.database.execute(removeRuns, [days])) === batch;
  }
}
