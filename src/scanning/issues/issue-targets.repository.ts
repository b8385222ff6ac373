import { Injectable } from '@nestjs/common';
import { uuidV7 } from '../../platform/crypto/uuid-v7.js';
import { Database, statement } from '../../database/database.js';
import { maxTargets, type TargetRow } from './finding-rows.js';
import type { ResourceScanTarget } from './issue-target.dto.js';

/** An issue that was found again, with the targets of its finding. */
export interface PlacedFinding {
  issueId: string;
  targets: TargetRow[];
}

/** The outcome of targets. */
export interface JoinedTargets {
  /** The number beyond the most that their issues keep. */
  cut: number;
  /** The issues that lost targets; an activity names those. */
  changed: string[];
}

/** The lost targets of an issue that its activity names, and the longest text for them. */
const namedTargets = 100;
const namedText = 10_000;

/**
 * Replaces the targets of issues ($3) by those that the newest scan ($1) found ($2), and keeps those that earlier parts of
 * that scan found. $4 are the ids of the activities that name the lost targets. A known target keeps its ids and gets the
 * newest details. The planner does not see the lengths of the lists of targets, so that no plan reads all targets, however
 * old the statistics are.
 */
export const joinTargets = statement(
  'issues.join-targets',
  `WITH given AS MATERIALIZED (
     SELECT g.*, md5(g.target_uid) AS key
       FROM json_to_recordset($2::json) AS g(id uuid, issue_id uuid, target_uid text, detail jsonb)
   ), known AS MATERIALIZED (
     SELECT t.id, t.issue_id, md5(t.target_uid) AS key, g.id IS NULL AND t.scan_id IS DISTINCT FROM $1 AS gone
       FROM issue_targets t LEFT JOIN given g ON g.issue_id = t.issue_id AND g.key = md5(t.target_uid)
      WHERE t.issue_id = ANY (ARRAY(SELECT unnest($3::uuid[])))
   ), gone AS (
     DELETE FROM issue_targets t
      WHERE t.id = ANY (ARRAY(SELECT id FROM known WHERE gone))
        AND (SELECT organization_id FROM issues WHERE id = t.issue_id) = $5
     RETURNING t.issue_id, t.target_uid
   ), lost AS (
     SELECT issue_id, count(*) AS count, (array_agg(target_uid ORDER BY target_uid))[:${namedTargets}] AS named
       FROM gone GROUP BY issue_id
   ), named_lost AS (
     INSERT INTO issue_activities (id, issue_id, organization_id, kind, from_value, actor_kind)
     SELECT again.activity_id, lost.issue_id, $5, 'TARGETS',
            left(array_to_string(named, chr(10)), ${namedText}) ||
              CASE WHEN count > ${namedTargets} THEN chr(10) || '(and ' || count - ${namedTargets} || ' more)' ELSE '' END,
            'SYSTEM'
       FROM lost JOIN unnest($3::uuid[], $4::uuid[]) AS again(issue_id, activity_id) USING (issue_id)
   ), remaining AS (
     SELECT issue_id, count(*) AS kept FROM known WHERE NOT gone GROUP BY issue_id
   ), placed AS (
     SELECT g.*, known.id IS NOT NULL
                 OR coalesce(remaining.kept, 0) + row_number() OVER (PARTITION BY g.issue_id, known.id IS NULL ORDER BY g.id)
                    <= ${maxTargets} AS fits
       FROM given g
       LEFT JOIN known ON known.issue_id = g.issue_id AND known.key = g.key
       LEFT JOIN remaining ON remaining.issue_id = g.issue_id
   ), written AS (
     INSERT INTO issue_targets AS t (id, issue_id, target_uid, scan_id, detail)
     SELECT id, issue_id, target_uid, $1, detail FROM placed WHERE fits ORDER BY issue_id, key
     ON CONFLICT (issue_id, md5(target_uid)) DO UPDATE
        SET scan_id = EXCLUDED.scan_id,
            detail = (SELECT jsonb_object_agg(key, CASE WHEN t.detail ? key
                                                        THEN value || jsonb_build_object('id', t.detail -> key -> 'id')
                                                        ELSE value END)
                        FROM jsonb_each(EXCLUDED.detail))
   )
   SELECT (SELECT count(*) FROM placed WHERE NOT fits)::integer AS cut,
          ARRAY(SELECT issue_id FROM lost) AS changed`,
);

/** SQL of a target as the API returns it, with the detail object that applies. */
const target = (row: string): string =>
  `jsonb_build_object('id', ${row}.id, 'targetUid', ${row}.target_uid, 'scanId', ${row}.scan_id) || ${row}.detail`;

/**
 * SQL of an issue's targets, at most 10,000. Without OFFSET 0, the planner may walk the targets of all issues by id until it
 * has found enough of this one's.
 */
const ownTargets = (issueId: string): string => `(SELECT * FROM issue_targets WHERE issue_id = ${issueId} OFFSET 0)`;

/** SQL of an issue's first targets, in the order in which scans named them. */
export function firstTargets(issue: string, count: number): string {
  return `(SELECT coalesce(jsonb_agg(${target('t')} ORDER BY t.id), '[]')
    FROM (SELECT * FROM ${ownTargets(`${issue}.id`)} AS own ORDER BY id LIMIT ${count}) AS t)`;
}

export const targetsPage = statement(
  'issues.targets-page',
  `SELECT ${target('t')} AS target
     FROM ${ownTargets('(SELECT id FROM issues WHERE organization_id = $1 AND id = $2)')} AS t
    WHERE t.id > $3
    ORDER BY t.id LIMIT $4`,
);

@Injectable()
export class IssueTargetsRepository {
  constructor(private readonly database: Database) {}

  /** Replaces the targets of issues by those that the scan found. A finding without targets leaves the existing ones. */
  async join(organizationId: string, scanId: string, findings: PlacedFinding[]): Promise<JoinedTargets> {
    const located = findings.filter(({ targets }) => targets.length > 0);
    if (located.length === 0) return { cut: 0, changed: [] };
    const given = located.flatMap(({ issueId, targets }) => targets.map((one) => ({ ...one, issue_id: issueId })));
    const again = located.map(({ issueId }) => issueId);
    const activityIds = again.map(() => uuidV7());
    const values = [scanId, JSON.stringify(given), again, activityIds, organizationId];
    return this.database.one<JoinedTargets & Record<string, unknown>>(joinTargets, values);
  }

  /** The targets of an issue after the one with this id. */
  async page(organizationId: string, issueId: string, after: string, limit: number): Promise<ResourceScanTarget[]> {
    const rows = await this.database.rows<{ target: ResourceScanTarget }>(targetsPage, [
      organizationId,
      issueId,
      after,
      limit,
    ]);
    return rows.map((row) => row.target);
  }
}
