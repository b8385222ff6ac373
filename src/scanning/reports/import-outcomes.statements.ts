import { statement } from '../../database/database.js';
import { issuesById } from '../issues/issues-by-id.statements.js';

/**
 * SQL of whether an issue was in the report of a scan, by one probe of the key. Without OFFSET 0, the planner may read all scans
 * that found the issue, and an issue that stays has one for each import.
 */
export const wasIn = (scan: string, issue: string): string =>
  `EXISTS (SELECT FROM issue_scans WHERE scan_id = ${scan} AND issue_id = ${issue} OFFSET 0)`;

/**
 * SQL of whether a report without a category dates from before a scope had its own, which then took its place: a pipeline that
 * gets categories would otherwise never get rid of the findings of its last report without them.
 */
export const isReplaced = (report: string, by: Record<'hasCategory' | 'tool' | 'branch' | 'scope', string>): string =>
  `(${by.hasCategory} AND ${report}.category = '' AND ${report}.tool = ${by.tool} AND ${report}.branch = ${by.branch}
    AND ${report}.scan_id < (SELECT first.scan_id FROM scan_reports first
                              WHERE first.organization_id = $1 AND first.scope = ${by.scope}
                              ORDER BY first.scan_id LIMIT 1))`;

const inTheseScans = `EXISTS (SELECT FROM issue_scans WHERE issue_id = i.id AND scan_id = ANY($2::uuid[]) OFFSET 0)`;

const inScope = `EXISTS (
  SELECT FROM issue_scans x JOIN scan_reports mine ON mine.scan_id = x.scan_id
   WHERE x.issue_id = i.id AND mine.organization_id = $1 AND mine.scope = $5)`;

/** Whether another branch has the issue: one that decides, unless no such branch ever had it. */
const isElsewhere = `EXISTS (
  SELECT FROM issue_branches x JOIN branches b ON b.id = x.branch_id
   WHERE x.issue_id = i.id AND x.branch_id <> ALL($7::uuid[]) AND x.present AND (b.decides OR i.branch_only))`;

/** SQL of whether a report is of a time before its branch was closed and opened again. */
const isFromBefore = (report: string, asset: string): string => `EXISTS (
  SELECT FROM branches b JOIN scans s ON s.id = ${report}.scan_id
   WHERE b.asset_id = ${asset} AND b.name = ${report}.branch AND s.created_at < b.opened_at)`;

/**
 * The issues on the assets $3 that earlier reports of the scope $5 had and the scans $2 did not find, and those of the
 * identities $6, which its report calls gone. Those in the newest whole report of another scope of the branch $8 are not gone;
 * a report without a branch is compared with those of the branches $10 too. $7 are the branches of the assets. An issue that
 * branches do not know is looked up where it is open and the newest report that had it is of the same tool ($4). $9 says
 * whether the scope has a category. An open one is gone for the organization (isGone) where what the branch has is the
 * organization's, or no branch has it.
 */
export const goneIssues = statement(
  'reports.gone-issues',
  `WITH candidate AS MATERIALIZED (
     SELECT i.id, i.asset_id
       FROM issues i JOIN scan_reports r ON r.scan_id = i.scan_id
      WHERE i.organization_id = $1 AND i.asset_id = ANY($3::uuid[]) AND i.status = 'OPEN' AND i.scan_id <> ALL($2::uuid[])
        AND r.organization_id = $1 AND r.tool = $4 AND (r.scope = $5 OR ${inScope}) AND NOT ${inTheseScans}
      UNION
     SELECT i.id, i.asset_id
       FROM issue_branches own JOIN issues i ON i.id = own.issue_id
      WHERE own.branch_id = ANY($7::uuid[]) AND own.present AND i.organization_id = $1 AND i.asset_id = ANY($3::uuid[])
        AND ${inScope} AND NOT ${inTheseScans}
      UNION
     SELECT i.id, i.asset_id FROM issues i
      WHERE i.organization_id = $1 AND i.identity = ANY($6::text[]) AND NOT ${inTheseScans}
   ), newest AS MATERIALIZED (
     SELECT DISTINCT ON (a.asset_id, r.scope) a.asset_id, r.scan_id
       FROM scan_assets a JOIN scan_reports r ON r.scan_id = a.scan_id
      WHERE a.asset_id IN (SELECT asset_id FROM candidate) AND r.organization_id = $1 AND r.scope <> $5 AND r.is_whole
        AND (r.branch = $8 OR $8 = '' AND r.branch = ANY($10::text[])) AND NOT ${isFromBefore('r', 'a.asset_id')}
        AND NOT ${isReplaced('r', { hasCategory: '$9::boolean', tool: '$4', branch: '$8', scope: '$5' })}
      ORDER BY a.asset_id, r.scope, r.scan_id DESC
   )
   SELECT i.id, i.scan_id AS "scanId",
          i.status = 'OPEN' AND NOT ${isElsewhere}
            AND (i.branch_only OR cardinality($7::uuid[]) = 0
                 OR EXISTS (SELECT FROM branches b WHERE b.id = ANY($7::uuid[]) AND b.asset_id = i.asset_id AND b.decides)) AS "isGone"
     FROM ${issuesById('SELECT id FROM candidate')}
    WHERE NOT EXISTS (SELECT FROM newest n WHERE n.asset_id = i.asset_id AND ${wasIn('n.scan_id', 'i.id')})`,
);

/**
 * The newest whole reports that a branch is compared with: those of the default branches ($9), else of all others. None for a
 * default branch, where $8 is null.
 */
const baseline = `
  WITH other AS MATERIALIZED (
     SELECT DISTINCT ON (a.asset_id, r.scope) a.asset_id, r.scan_id, r.tool, r.branch, r.branch = ANY($9::text[]) AS is_default
       FROM scan_assets a JOIN scan_reports r ON r.scan_id = a.scan_id
      WHERE a.asset_id = ANY($7::uuid[]) AND r.organization_id = $1 AND r.is_whole AND r.branch <> $8::text
      ORDER BY a.asset_id, r.scope, r.scan_id DESC
   ), base AS MATERIALIZED (
     SELECT asset_id, scan_id, tool, branch FROM other WHERE is_default OR NOT EXISTS (SELECT FROM other WHERE is_default))`;

const found = 'SELECT issue_id FROM issue_scans WHERE scan_id = ANY($2::uuid[])';

/**
 * The issues that a gate looks at: open ones that the scans $2 found, and those that are gone ($5). A branch may have what is
 * resolved on the default one.
 */
const outcomes = `
  SELECT i.id, i.severity, i.security_test_uid AS rule, i.name, i.asset_id,
         CASE WHEN created.id IS NOT NULL THEN 'CREATED' WHEN reopened.id IS NOT NULL THEN 'REOPENED' ELSE 'SEEN' END AS outcome,
         $8::text IS NOT NULL AND created.id IS NULL AND reopened.id IS NULL
           AND NOT EXISTS (SELECT FROM base b WHERE b.asset_id = i.asset_id AND ${wasIn('b.scan_id', 'i.id')}) AS unmerged
    FROM ${issuesById(found)}
    LEFT JOIN unnest($3::uuid[]) AS created(id) ON created.id = i.id
    LEFT JOIN unnest($4::uuid[]) AS reopened(id) ON reopened.id = i.id
   WHERE i.organization_id = $1
     AND (i.status IN ('OPEN', 'MANUAL_REVIEW') OR $8::text IS NOT NULL AND i.status = 'RESOLVED')
   UNION ALL
  SELECT i.id, i.severity, i.security_test_uid, i.name, i.asset_id, 'GONE', false
    FROM ${issuesById('SELECT unnest($5::uuid[])')}
   WHERE i.organization_id = $1`;

/** The outcomes by part and severity: what is new to the branch, what else was seen, what is gone. */
const ranked = `
  SELECT *, CASE WHEN outcome = 'GONE' THEN 3 WHEN outcome = 'SEEN' AND NOT unmerged THEN 2 ELSE 1 END AS part,
         array_position(ARRAY['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO'], severity) AS rank
    FROM found`;

/** An issue `l` of the list, from `listedTables`. */
const listedIssue = `json_build_object(
  'id', l.id, 'outcome', l.outcome, 'unmerged', l.unmerged, 'severity', l.severity, 'rule', l.rule, 'name', l.name,
  'assetName', a.name, 'place', left(t.target_uid, 500), 'line', (t.detail #>> '{codeFile,line}')::integer,
  'message', left(d.detail ->> 'message', 1000))`;
const listedTables = `
  JOIN assets a ON a.id = l.asset_id
  LEFT JOIN issue_details d ON d.issue_id = l.id
  LEFT JOIN LATERAL (SELECT * FROM (SELECT * FROM issue_targets WHERE issue_id = l.id OFFSET 0) AS own
                      ORDER BY own.id LIMIT 1) AS t ON true`;

/**
 * The number of each outcome, severity and rule; the most severe: $6 of each part, $10 of each severity in it; and the number of
 * issues of the scans $2 that are set aside.
 */
export const importOutcomes = statement(
  'reports.import-outcomes',
  `${baseline}, found AS MATERIALIZED (${outcomes}), ranked AS (${ranked}),
   placed AS (
     SELECT *, row_number() OVER (PARTITION BY part ORDER BY rank, name, id) AS place,
            row_number() OVER (PARTITION BY part, rank ORDER BY name, id) AS place_in_rank
       FROM ranked
   ),
   listed AS (SELECT * FROM placed WHERE place <= $6 OR place_in_rank <= $10)
   SELECT (SELECT coalesce(json_agg(g), '[]'::json) FROM (
            SELECT outcome, severity, rule, count(*) AS count, count(*) FILTER (WHERE unmerged) AS unmerged FROM found GROUP BY outcome, severity, rule
             ORDER BY count(*) DESC, rule) AS g) AS groups,
          (SELECT coalesce(json_agg(b), '[]'::json) FROM (
            SELECT DISTINCT tool, branch FROM base ORDER BY branch LIMIT 1000) AS b) AS bases,
          (SELECT coalesce(json_agg(${listedIssue} ORDER BY l.part, l.place), '[]'::json)
             FROM listed l ${listedTables}) AS issues,
          (SELECT coalesce(json_agg(s), '[]'::json) FROM (
            SELECT severity, count(*) AS count FROM ${issuesById(found)}
             WHERE i.organization_id = $1 AND status NOT IN ('OPEN', 'MANUAL_REVIEW') AND ($8::text IS NULL OR status <> 'RESOLVED')
             GROUP BY severity) AS s) AS "setAside"`,
);

/** Keeps all outcomes under the id $6, $10 a page, in the order of the answer. */
export const keepPages = statement(
  'reports.keep-pages',
  `${baseline}, found AS MATERIALIZED (${outcomes}), ranked AS (${ranked}),
   placed AS (SELECT *, row_number() OVER (ORDER BY part, rank, name, id) - 1 AS place FROM ranked)
   INSERT INTO import_pages (organization_id, import_id, page, issues)
   SELECT $1, $6::uuid, l.place / $10::integer, json_agg(${listedIssue} ORDER BY l.place)
     FROM placed l ${listedTables}
    GROUP BY l.place / $10::integer`,
);

/** Whether there was a whole report of the scope $2 before the scans $3, of one of the assets $4. */
export const hadReport = statement(
  'reports.had-report',
  `SELECT EXISTS (
     SELECT FROM scan_reports r
      WHERE r.organization_id = $1 AND r.scope = $2 AND r.is_whole AND r.scan_id <> ALL($3::uuid[])
        AND (cardinality($4::uuid[]) = 0 OR EXISTS (
              SELECT FROM scan_assets a WHERE a.scan_id = r.scan_id AND a.asset_id = ANY($4::uuid[])))) AS had`,
);

/** The assets among $4 of which the scope $2 has a whole report of a commit after the time $3. */
export const newerAssets = statement(
  'reports.newer-assets',
  `SELECT DISTINCT a.asset_id AS id
     FROM scan_reports r JOIN scan_assets a ON a.scan_id = r.scan_id
    WHERE r.organization_id = $1 AND r.scope = $2 AND r.is_whole AND r.committed_at > $3 AND a.asset_id = ANY($4::uuid[])
      AND NOT ${isFromBefore('r', 'a.asset_id')}`,
);

/**
 * The large tables that every import fills, in which PostgreSQL saw pages and counted no row: it vacuumed or analyzed them while
 * all of their rows were those of imports under way. It plans each statement on them for one row until it counts again.
 */
export const countedAsEmpty = statement(
  'reports.counted-as-empty',
  `SELECT oid::regclass::text AS name FROM pg_class
    WHERE oid = ANY(ARRAY['issues', 'issue_scans', 'issue_targets']::regclass[]) AND relpages > 0 AND reltuples = 0`,
);
