import { Injectable } from '@nestjs/common';
import type { TimeBuckets } from '../../platform/http/time-buckets.js';
import { statement } from '../../database/database.js';
import { Searches } from '../../database/searches.js';
import type { SeverityCount } from '../issues-by-severity.js';
import type { IssueCategory, IssueSeverity, IssueStatus } from '../vocabulary.js';

/** The number of issues with this severity, status and category. */
export interface IssueCount {
  severity: IssueSeverity;
  status: IssueStatus;
  category: IssueCategory;
  count: number;
}

export interface DayCount {
  step: number;
  count: number;
}

/** The change on a day in the number of open issues of a severity; the step after the last day sums up all later ones. */
export type OpenChange = DayCount & SeverityCount;

/** The figures of one moment. */
export interface IssueFigures {
  counts: IssueCount[];
  created: DayCount[];
  resolved: DayCount[];
  opened: OpenChange[];
}

/** The number of rows on each of the days ($2) from $3 to $4. */
const byDay = (rows: string): string => `(
  SELECT coalesce(json_agg(days), '[]') FROM (
    SELECT width_bucket(created_at, $2::timestamptz[]) AS step, count(*) AS count
      FROM ${rows} AND created_at >= $3 AND created_at < $4
     GROUP BY step) AS days)`;

/** The other of status and severity at a change of one: as the issue's next change of that kind found it, else as it is now. */
const thenOf = (kind: 'STATUS' | 'SEVERITY', present: string): string =>
  `coalesce((array_agg(c.from_value) FILTER (WHERE c.kind = '${kind}') OVER later)[1], ${present})`;

/**
 * The changes of status and severity since $3, each with the status and severity before and after it. What only other branches
 * than the default one have does not count.
 */
const changes = `
  changes AS MATERIALIZED (
    SELECT a.id, a.issue_id, a.kind, a.from_value, a.to_value, a.created_at,
           i.status AS present_status, i.severity AS present_severity
      FROM issue_activities a JOIN issues i ON i.id = a.issue_id AND i.organization_id = $1
     WHERE a.organization_id = $1 AND a.created_at >= $3 AND a.kind IN ('STATUS', 'SEVERITY') AND NOT i.branch_only
  ), told AS (
    SELECT c.created_at, c.kind, c.from_value, c.to_value,
           ${thenOf('STATUS', 'c.present_status')} AS status, ${thenOf('SEVERITY', 'c.present_severity')} AS severity
      FROM changes c
    WINDOW later AS (PARTITION BY c.issue_id ORDER BY c.created_at, c.id
                     ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING)
  ), moved AS (
    SELECT created_at, CASE kind WHEN 'STATUS' THEN to_value ELSE status END AS status,
           CASE kind WHEN 'SEVERITY' THEN to_value ELSE severity END AS severity, 1 AS by FROM told
     UNION ALL
    SELECT created_at, CASE kind WHEN 'STATUS' THEN from_value ELSE status END,
           CASE kind WHEN 'SEVERITY' THEN from_value ELSE severity END, -1 FROM told
  ), opened AS (
    SELECT CASE WHEN created_at < $4 THEN width_bucket(created_at, $2::timestamptz[])
                ELSE cardinality($2::timestamptz[]) + 1 END AS step, severity, sum(by) AS count
      FROM moved WHERE status = 'OPEN' GROUP BY 1, 2
  )`;

export const issueFigures = statement(
  'issues.figures',
  `WITH ${changes}
   SELECT (SELECT coalesce(json_agg(counts), '[]') FROM (
             SELECT severity, status, category, count(*) AS count FROM issues
              WHERE organization_id = $1 AND NOT branch_only GROUP BY severity, status, category) AS counts) AS counts,
          ${byDay('issues WHERE organization_id = $1 AND NOT branch_only')} AS created,
          ${byDay(`changes WHERE kind = 'STATUS' AND to_value = 'RESOLVED'`)} AS resolved,
          (SELECT coalesce(json_agg(opened), '[]') FROM opened) AS opened`,
);

@Injectable()
export class IssueSummaryRepository {
  constructor(private readonly searches: Searches) {}

  /** The present counts of an organization's issues, and those of each day; throws as `Searches` does. */
  async figures(organizationId: string, { starts, from, to }: TimeBuckets): Promise<IssueFigures> {
    const values = [organizationId, starts, from, to];
    const rows = await this.searches.rows<IssueFigures & Record<string, unknown>>(organizationId, issueFigures, values);
    return rows[0] ?? { counts: [], created: [], resolved: [], opened: [] };
  }
}
