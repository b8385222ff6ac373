import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database.js';

/** The issues that one statement looks at: each may have many targets, and a statement has half a minute. */
const issuesPerWalk = 100;

/**
 * Removes those of the issues next after $1 that have been resolved for $2 days and that nobody judged: a finding that comes
 * back must meet the severity that a person gave it, and what set it aside. Issues in use are left for the next time.
 */
const removeOld = statement(
  'issues.remove-old',
  `WITH part AS MATERIALIZED (SELECT id FROM issues WHERE id > $1 ORDER BY id LIMIT ${issuesPerWalk}),
        old AS MATERIALIZED (
          SELECT i.id FROM part JOIN issues i USING (id)
           WHERE i.status = 'RESOLVED' AND i.set_aside IS NULL AND i.severity_set_by IS NULL
             AND i.updated_at < now() - $2::integer * interval '1 day'
             FOR UPDATE OF i SKIP LOCKED),
        gone AS (DELETE FROM issues WHERE id IN (SELECT id FROM old))
   SELECT id AS last FROM part ORDER BY id DESC LIMIT 1`,
);

@Injectable()
export class IssueRetentionRepository {
  constructor(private readonly database: Database) {}

  /** Removes old issues among the next after `last`; returns the last one looked at, null at the end. */
  async removeOld(last: string, days: number): Promise<string | null> {
    const row = await this.database.row<{ last: string }>(removeOld, [last, days]);
    return row?.last ?? null;
  }
}
