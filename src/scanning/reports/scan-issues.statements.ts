import { statement } from '../../database/database.js';
import { isoTimestamp } from '../../database/iso-timestamp.js';
import { issuePlace } from '../issues/issue-place.statements.js';
import { isReplaced, wasIn } from './import-outcomes.statements.js';

/** The earlier scans of a profile among which to look for the one to compare with. */
const earlierScans = 1_000;

const rank = (severity: string): string =>
  `array_position(ARRAY['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO'], ${severity})`;

/** The newest earlier scan with the same purpose on one of its assets. */
const previous = `
  SELECT e.id, e.created_at
    FROM this CROSS JOIN LATERAL (
      SELECT s.* FROM scans s
       WHERE s.application_id = this.application_id AND (s.created_at, s.id) < (this.created_at, this.id)
       ORDER BY s.created_at DESC, s.id DESC LIMIT ${earlierScans}) AS e
    LEFT JOIN scan_reports r ON r.scan_id = e.id
   WHERE e.status = 'FINISHED' AND e.kind = this.kind AND r.scope IS NOT DISTINCT FROM this.scope
     AND (EXISTS (SELECT FROM scan_assets a JOIN covered c USING (asset_id) WHERE a.scan_id = e.id)
          OR NOT EXISTS (SELECT FROM covered) AND NOT EXISTS (SELECT FROM scan_assets WHERE scan_id = e.id))
   ORDER BY e.created_at DESC, e.id DESC LIMIT 1`;

/** The issues that the previous scan found on this one's assets and this one did not. */
const missed = `
  SELECT i.id, i.asset_id
    FROM previous p JOIN issue_scans x ON x.scan_id = p.id JOIN issues i ON i.id = x.issue_id
   WHERE (SELECT is_whole FROM this) AND NOT ${wasIn('$2', 'i.id')}
     AND (i.asset_id IN (SELECT asset_id FROM covered) OR NOT EXISTS (SELECT FROM covered))`;

/** The newest whole reports of other scopes at the time of this one, as `goneIssues` takes them. */
const elsewhere = `
  SELECT DISTINCT ON (a.asset_id, r.scope) a.asset_id, r.scan_id
    FROM this JOIN scan_reports r ON r.organization_id = $1 AND r.scope <> this.scope AND r.is_whole AND r.scan_id < $2
    JOIN scan_assets a ON a.scan_id = r.scan_id
   WHERE a.asset_id IN (SELECT asset_id FROM missed) AND (NOT this.is_default OR r.branch = this.branch)
     AND NOT ${isReplaced('r', { hasCategory: `this.category <> ''`, tool: 'this.tool', branch: 'this.branch', scope: 'this.scope' })}
   ORDER BY a.asset_id, r.scope, r.scan_id DESC`;

/**
 * The issues of scan $2 by their outcome in it: counts, and the first $3 of each. An issue is new by the first scan that found it: scans' ids are in the order of time. Where that scan is no longer
 * kept, the issue is older than this one.
 */
export const comparedIssues = statement(
  'reports.compared-issues',
  `WITH this AS MATERIALIZED (
     SELECT s.id, s.created_at, s.application_id, s.kind, r.scope, r.tool, r.category, r.branch,
            s.status = 'FINISHED' AND coalesce(r.is_whole, true) AS is_whole,
            EXISTS (SELECT FROM scan_assets a JOIN branches b USING (asset_id)
                     WHERE a.scan_id = s.id AND b.name = r.branch AND b.is_default) AS is_default
       FROM scans s LEFT JOIN scan_reports r ON r.scan_id = s.id
      WHERE s.organization_id = $1 AND s.id = $2
   ), covered AS MATERIALIZED (SELECT asset_id FROM scan_assets WHERE scan_id = $2),
   previous AS MATERIALIZED (${previous}),
   missed AS MATERIALIZED (${missed}),
   elsewhere AS MATERIALIZED (${elsewhere}),
   told AS (
     SELECT x.issue_id AS id,
            CASE WHEN (SELECT y.scan_id FROM issue_scans y WHERE y.issue_id = x.issue_id ORDER BY y.scan_id LIMIT 1) = $2
                  AND (SELECT created_at FROM issues WHERE id = x.issue_id) >= (SELECT created_at FROM this)
                 THEN 'CREATED' ELSE 'SEEN' END AS outcome
       FROM issue_scans x WHERE x.scan_id = (SELECT id FROM this)
      UNION ALL
     SELECT m.id, 'GONE' FROM missed m
      WHERE NOT EXISTS (SELECT FROM elsewhere e WHERE e.asset_id = m.asset_id AND ${wasIn('e.scan_id', 'm.id')})
   ), issue AS MATERIALIZED (
     SELECT t.outcome, i.id, i.name, i.severity, i.status, i.asset_id,
            row_number() OVER (PARTITION BY t.outcome ORDER BY ${rank('i.severity')}, i.name, i.id) AS rank
       FROM told t JOIN issues i ON i.id = t.id
   )
   SELECT this.is_whole AS "isWhole",
          (SELECT json_build_object('id', id, 'createdAt', ${isoTimestamp('created_at')}) FROM previous) AS previous,
          (SELECT coalesce(json_agg(g), '[]') FROM (
             SELECT outcome, severity, count(*) AS count FROM issue GROUP BY outcome, severity) AS g) AS counts,
          (SELECT coalesce(json_agg(json_build_object(
                    'outcome', i.outcome, 'id', i.id, 'name', i.name, 'severity', i.severity, 'status', i.status,
                    'assetName', a.name, 'place', ${issuePlace('i.id')}) ORDER BY i.rank), '[]')
             FROM issue i JOIN assets a ON a.id = i.asset_id WHERE i.rank <= $3) AS issues
     FROM this`,
);
