import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database.js';
import { UnitOfWork } from '../../database/unit-of-work.js';

/** The scans that one transaction looks at: each may have found a quarter of a million issues, and a statement has half a minute. */
const scansPerWalk = 5;

/**
 * Whether nothing needs the scan `s`: no issue names it, it is not the newest of its profile, and for each of its assets there
 * is a newer whole report of its scope, with which the next one is compared.
 */
const isUnneeded = `
  NOT EXISTS (SELECT FROM issues WHERE scan_id = s.id) AND NOT EXISTS (SELECT FROM issue_targets WHERE scan_id = s.id)
  AND EXISTS (SELECT FROM scans n
               WHERE n.application_id = s.application_id AND (n.created_at, n.id) > (s.created_at, s.id))
  AND NOT EXISTS (
    SELECT FROM scan_reports r LEFT JOIN scan_assets a USING (scan_id)
     WHERE r.scan_id = s.id AND r.is_whole AND NOT EXISTS (
       SELECT FROM scan_reports n
        WHERE n.organization_id = r.organization_id AND n.scope = r.scope AND n.scan_id > r.scan_id AND n.is_whole
          AND (a.asset_id IS NULL
               OR EXISTS (SELECT FROM scan_assets o WHERE o.scan_id = n.scan_id AND o.asset_id = a.asset_id))))`;

/** Locks those of the scans next after $1 that ended more than $2 days ago. A scan that is written to is passed over. */
const lockOld = statement(
  'scans.lock-old',
  `WITH part AS MATERIALIZED (SELECT id FROM scans WHERE id > $1 ORDER BY id LIMIT ${scansPerWalk}),
        old AS MATERIALIZED (
          SELECT s.id FROM part JOIN scans s USING (id)
           WHERE s.status IN ('FINISHED', 'FAILED', 'CANCELED')
             AND coalesce(s.finished_at, s.updated_at) < now() - $2::integer * interval '1 day' AND ${isUnneeded}
             FOR UPDATE OF s SKIP LOCKED)
   SELECT id AS last, ARRAY(SELECT id FROM old) AS ids FROM part ORDER BY id DESC LIMIT 1`,
);

const remove = statement('scans.remove-old', `DELETE FROM scans s WHERE id = ANY($1::uuid[]) AND ${isUnneeded}`);

@Injectable()
export class ScanRetentionRepository {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Removes old scans among the next after `last`; returns the last one looked at, null at the end. It looks again in a
   * statement of its own, which sees what was committed before the locks were taken.
   */
  removeOld(last: string, days: number): Promise<string | null> {
    return this.unitOfWork.run(async () => {
      const part = await this.database.row<{ last: string; ids: string[] }>(lockOld, [last, days]);
      if (part && part.ids.length > 0) await this.database.execute(remove, [part.ids]);
      return part?.last ?? null;
    });
  }
}
