import { Injectable } from '@nestjs/common';
import { FilteredStatement } from '../../database/filtered-statement.js';
import { Searches } from '../../database/searches.js';
import type { IssuesBySeverity } from '../issues-by-severity.js';
import { issueSeverities } from '../vocabulary.js';
import type { Grouping, TimeToFix, WaitingIssues } from './issue-figures.dto.js';
import {
  dueAt,
  type IssueFilterName,
  type IssueFilters,
  issueFilters,
  severityRank,
} from './issue-filters.statements.js';

/** A group, with the numbers of all groups and their issues. */
export interface GroupRow {
  key: string;
  name: string;
  count: number;
  open: number;
  bySeverity: IssuesBySeverity;
  groups: number;
  total: number;
}

const bySeverity = issueSeverities
  .map((severity) => `'${severity}', count(*) FILTER (WHERE i.severity = '${severity}')`)
  .join(', ');

const keys: Record<Grouping, { key: string; name: string; order: string }> = {
  rule: { key: 'i.security_test_uid', name: 'g.name', order: 'g.count DESC, g.key' },
  asset: { key: 'i.asset_id', name: '(SELECT a.name FROM assets a WHERE a.id = g.key)', order: 'g.count DESC, g.key' },
  severity: { key: 'i.severity', name: 'g.key', order: 'g.rank DESC' },
};

function groupsBy(by: Grouping): FilteredStatement<IssueFilterName> {
  const { key, name, order } = keys[by];
  return new FilteredStatement(
    `issues.groups-${by}`,
    issueFilters,
    (conditions) => `
      WITH grouped AS (
        SELECT ${key} AS key, min(i.name) AS name, max(${severityRank}) AS rank, count(*) AS count,
               count(*) FILTER (WHERE i.status = 'OPEN') AS open, json_build_object(${bySeverity}) AS "bySeverity"
          FROM issues i WHERE i.organization_id = $1${conditions}
         GROUP BY 1)
      SELECT g.key::text AS key, ${name} AS name, g.count::integer AS count, g.open::integer AS open, g."bySeverity",
             (SELECT count(*) FROM grouped)::integer AS groups, (SELECT sum(count) FROM grouped)::integer AS total
        FROM grouped g ORDER BY ${order} LIMIT $2`,
  );
}

const groups = { rule: groupsBy('rule'), asset: groupsBy('asset'), severity: groupsBy('severity') };

const waits = `i.status IN ('OPEN', 'MANUAL_REVIEW')`;
const days = (quantile: string): string =>
  `(percentile_cont(${quantile}) WITHIN GROUP (ORDER BY extract(epoch FROM f.closed_at - f.opened_at)) / 86400)::float8`;
const madeBefore = (later: string, sooner: string): string =>
  `count(*) FILTER (WHERE i.created_at < now() - interval '${later}' AND i.created_at >= now() - interval '${sooner}')`;

/** Of the weeks that begin at $2, from $3 on. */
const metrics = new FilteredStatement(
  'issues.metrics',
  issueFilters,
  (conditions) => `
    WITH moves AS MATERIALIZED (
      SELECT c.id, c.issue_id, c.from_value, c.to_value, c.created_at, i.severity, i.created_at AS found_at
        FROM issue_activities c JOIN issues i ON i.id = c.issue_id
       WHERE c.organization_id = $1 AND c.created_at >= $3 AND c.kind = 'STATUS' AND i.organization_id = $1${conditions}
    ), fixes AS (
      SELECT m.severity, m.created_at AS closed_at,
             coalesce((SELECT max(o.created_at) FROM issue_activities o
                        WHERE o.issue_id = m.issue_id AND o.kind = 'STATUS' AND o.to_value = 'OPEN'
                          AND (o.created_at, o.id) < (m.created_at, m.id)), m.found_at) AS opened_at
        FROM moves m WHERE m.to_value = 'RESOLVED'
    ), fix_times AS (
      SELECT f.severity, count(*)::integer AS fixed, ${days('0.5')} AS "medianDays", ${days('0.9')} AS "ninetiethDays"
        FROM fixes f GROUP BY f.severity
    ), waiting AS (
      SELECT i.severity, count(*)::integer AS open, count(*) FILTER (WHERE ${dueAt} < now())::integer AS overdue,
             (count(*) FILTER (WHERE i.created_at >= now() - interval '7 days'))::integer AS "upTo7Days",
             (${madeBefore('7 days', '30 days')})::integer AS "upTo30Days",
             (${madeBefore('30 days', '90 days')})::integer AS "upTo90Days",
             (count(*) FILTER (WHERE i.created_at < now() - interval '90 days'))::integer AS older
        FROM issues i WHERE i.organization_id = $1 AND ${waits}${conditions}
       GROUP BY i.severity
    ), weeks AS (
      SELECT width_bucket(m.created_at, $2::timestamptz[]) AS step,
             count(*) FILTER (WHERE m.to_value = 'OPEN')::integer AS opened,
             count(*) FILTER (WHERE m.from_value IN ('OPEN', 'MANUAL_REVIEW')
                                AND m.to_value NOT IN ('OPEN', 'MANUAL_REVIEW'))::integer AS closed
        FROM moves m GROUP BY 1
    )
    SELECT (SELECT coalesce(json_agg(fix_times), '[]') FROM fix_times) AS "timeToFix",
           (SELECT coalesce(json_agg(waiting), '[]') FROM waiting) AS waiting,
           (SELECT coalesce(json_agg(weeks), '[]') FROM weeks) AS weeks`,
);

export interface MetricRows {
  timeToFix: TimeToFix[];
  waiting: WaitingIssues[];
  weeks: { step: number; opened: number; closed: number }[];
}

/** Counts issues; each statement reads all that match, so that it is a search, with a time limit. */
@Injectable()
export class IssueFiguresRepository {
  constructor(private readonly searches: Searches) {}

  groups(organizationId: string, by: Grouping, size: number, given: IssueFilters): Promise<GroupRow[]> {
    const { statement, values } = groups[by].of([organizationId, size], given);
    return this.searches.rows<GroupRow & object>(organizationId, statement, values);
  }

  async metrics(organizationId: string, starts: Date[], given: IssueFilters): Promise<MetricRows> {
    const { statement, values } = metrics.of([organizationId, starts, starts[0]], given);
    const [row] = await this.searches.rows<MetricRows & object>(organizationId, statement, values);
    return row ?? { timeToFix: [], waiting: [], weeks: [] };
  }
}
