import { Injectable } from '@nestjs/common';
import type { TimeSteps } from '../../common/http/time-steps.js';
import { statement } from '../../database/database.js';
import { Searches } from '../../database/searches.js';
import type { IssueCategory, IssueSeverity, IssueStatus } from '../vocabulary.js';

/** How many issues have this severity, status and category. */
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

/** The figures of one moment. */
export interface IssueFigures {
  counts: IssueCount[];
  created: DayCount[];
  resolved: DayCount[];
}

/** How many rows of the organization ($1) each of the days ($2) from $3 to $4 has; index-only. */
const byDay = (table: string, condition: string): string => `(
  SELECT coalesce(json_agg(days), '[]') FROM (
    SELECT width_bucket(created_at, $2::timestamptz[]) AS step, count(*) AS count
      FROM ${table} WHERE organization_id = $1 AND created_at >= $3 AND created_at < $4${condition}
     GROUP BY step) AS days)`;

export const issueFigures = statement(
  'issues.figures',
  `SELECT (SELECT coalesce(json_agg(counts), '[]') FROM (
             SELECT severity, status, category, count(*) AS count FROM issues
              WHERE organization_id = $1 GROUP BY severity, status, category) AS counts) AS counts,
          ${byDay('issues', '')} AS created,
          ${byDay('issue_activities', ` AND kind = 'STATUS' AND to_value = 'RESOLVED'`)} AS resolved`,
);

@Injectable()
export class IssueSummaryRepository {
  constructor(private readonly searches: Searches) {}

  /** The present counts of an organization's issues, and those of each day; refused as `Searches` refuses. */
  async figures(organizationId: string, { starts, from, to }: TimeSteps): Promise<IssueFigures> {
    const values = [organizationId, starts, from, to];
    const rows = await this.searches.rows<IssueFigures & Record<string, unknown>>(organizationId, issueFigures, values);
    return rows[0] ?? { counts: [], created: [], resolved: [] };
  }
}
