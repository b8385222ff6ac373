import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database.js';

const issuesPerWalk = 1_000;

/**
 * Rates the issues with identifiers next after $1. Those that somebody changes at the moment are left for another walk:
 * imports lock issues in another order.
 */
export const rateNext = statement(
  'issues.rate-next',
  `WITH part AS MATERIALIZED (
          SELECT DISTINCT issue_id FROM issue_identifiers WHERE issue_id > $1 ORDER BY issue_id LIMIT ${issuesPerWalk}),
        differing AS MATERIALIZED (
          SELECT t.issue_id, t.epss, t.kev FROM threats_of(ARRAY(SELECT issue_id FROM part)) t
            JOIN issues i ON i.id = t.issue_id
           WHERE (i.epss, i.kev) IS DISTINCT FROM (t.epss, t.kev)),
        locked AS MATERIALIZED (
          SELECT i.id FROM issues i WHERE i.id IN (SELECT issue_id FROM differing) FOR UPDATE OF i SKIP LOCKED),
        rated AS (
          UPDATE issues i SET epss = d.epss, kev = d.kev
            FROM differing d JOIN locked l ON l.id = d.issue_id WHERE i.id = d.issue_id)
   SELECT (SELECT max(issue_id::text) FROM part) AS last,
          ((SELECT count(*) FROM differing) - (SELECT count(*) FROM locked))::integer AS left`,
);

@Injectable()
export class IssueThreatsRepository {
  constructor(private readonly database: Database) {}

  /** The last issue that was looked at, null at the end, and how many were in use. */
  rateNext(last: string): Promise<{ last: string | null; left: number }> {
    return this.database.one<{ last: string | null; left: number }>(rateNext, [last]);
  }
}
