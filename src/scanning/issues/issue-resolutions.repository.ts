import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database.js';

/** An open issue, and the newest scan that found it. */
export interface OpenIssue {
  id: string;
  scanId: string | null;
}

/** Locks in the same order as appends do. Issues that were found again, or moved by a user, meanwhile stay. */
export const resolveOpen = statement(
  'issues.resolve',
  `WITH gone AS (
     SELECT i.id FROM issues i JOIN json_to_recordset($2::json) AS g(id uuid, "scanId" uuid) ON g.id = i.id
      WHERE i.organization_id = $1 AND i.status = 'OPEN' AND i.scan_id IS NOT DISTINCT FROM g."scanId"
      ORDER BY i.identity FOR NO KEY UPDATE OF i
   )
   UPDATE issues i SET status = 'RESOLVED', status_set_by = NULL, updated_at = now()
     FROM gone WHERE i.id = gone.id
   RETURNING i.id`,
);

@Injectable()
export class IssueResolutionsRepository {
  constructor(private readonly database: Database) {}

  /** Resolves the ones that are still open and that no scan has found since; returns their ids. */
  async resolve(organizationId: string, issues: OpenIssue[]): Promise<string[]> {
    const rows = await this.database.rows<{ id: string }>(resolveOpen, [organizationId, JSON.stringify(issues)]);
    return rows.map(({ id }) => id);
  }
}
