import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database.js';
import type { IssueStatus } from '../vocabulary.js';

/** An issue whose status followed its branches. */
export interface FollowedIssue {
  id: string;
  statusBefore: IssueStatus;
  status: IssueStatus;
}

/** That the branches $1 no longer have the issues $2. */
const leave = statement(
  'issue-branches.leave',
  `UPDATE issue_branches SET present = false
    WHERE branch_id = ANY($1::uuid[]) AND issue_id = ANY($2::uuid[]) AND present`,
);

/** That the branches, each the one of its asset, had the issues of these identities once, which a report calls absent. */
const recall = statement(
  'issue-branches.recall',
  `WITH had AS MATERIALIZED (
     SELECT i.id, b.id AS branch_id, b.decides FROM issues i JOIN branches b ON b.asset_id = i.asset_id
      WHERE i.organization_id = $1 AND i.identity = ANY($2::text[]) AND b.id = ANY($3::uuid[])
      ORDER BY i.identity FOR NO KEY UPDATE OF i
   ), noted AS (
     INSERT INTO issue_branches (issue_id, branch_id, last_seen_at, present) SELECT id, branch_id, now(), false FROM had
     ON CONFLICT (issue_id, branch_id) DO NOTHING
   )
   UPDATE issues SET branch_only = false FROM had WHERE issues.id = had.id AND had.decides AND issues.branch_only`,
);

const onDeciding = (condition: string): string => `EXISTS (
  SELECT FROM issue_branches x JOIN branches b ON b.id = x.branch_id
   WHERE x.issue_id = i.id AND b.closed_at IS NULL AND ${condition})`;

/**
 * The issues of the branches $2 follow these, whose role has changed: an issue is the organization's where a branch that
 * decides had it, or a scan without a branch found it, and open where such a branch has it now.
 */
const follow = statement(
  'issue-branches.follow',
  `WITH affected AS MATERIALIZED (
     SELECT i.id, i.status FROM issues i
      WHERE i.organization_id = $1 AND i.id IN (SELECT issue_id FROM issue_branches WHERE branch_id = ANY($2::uuid[]))
      ORDER BY i.identity FOR NO KEY UPDATE
   ), told AS MATERIALIZED (
     SELECT i.id, i.status, ${onDeciding('b.decides')} AS decided,
            NOT ${onDeciding('b.decides')} AND NOT EXISTS (
              SELECT FROM issue_scans y JOIN scans s ON s.id = y.scan_id WHERE y.issue_id = i.id AND s.branch IS NULL) AS only,
            ${onDeciding('b.decides AND x.present')} AS decides_now, ${onDeciding('x.present')} AS has_now
       FROM affected i
   ), next AS MATERIALIZED (
     SELECT t.*, CASE WHEN t.only THEN t.has_now WHEN t.decided THEN t.decides_now ELSE t.status <> 'RESOLVED' END AS there FROM told t
   )
   UPDATE issues i
      SET branch_only = n.only, updated_at = now(),
          status = CASE WHEN i.status = 'OPEN' AND NOT n.there THEN 'RESOLVED'
                        WHEN i.status = 'RESOLVED' AND i.status_set_by IS NULL AND n.there THEN 'OPEN' ELSE i.status END
     FROM next n
    WHERE i.id = n.id AND (i.branch_only <> n.only OR i.status = 'OPEN' AND NOT n.there
                           OR i.status = 'RESOLVED' AND i.status_set_by IS NULL AND n.there)
   RETURNING i.id, n.status AS "statusBefore", i.status`,
);

/**
 * That the closed branches $2 have no issues any more: an open issue is resolved where no other branch has it that counts for
 * it, and no scan without a branch found it.
 */
const end = statement(
  'issue-branches.end',
  `WITH affected AS MATERIALIZED (
     SELECT i.id FROM issues i
      WHERE i.organization_id = $1 AND i.id IN (SELECT issue_id FROM issue_branches WHERE branch_id = ANY($2::uuid[]))
      ORDER BY i.identity FOR NO KEY UPDATE
   ), removed AS (
     DELETE FROM issue_branches WHERE branch_id = ANY($2::uuid[])
   )
   UPDATE issues i SET status = 'RESOLVED', status_set_by = NULL, updated_at = now()
     FROM affected a
    WHERE i.id = a.id AND i.status = 'OPEN'
      AND NOT ${onDeciding('x.branch_id <> ALL($2::uuid[]) AND x.present AND (b.decides OR i.branch_only)')}
      AND (i.branch_only OR EXISTS (
            SELECT FROM issue_branches x JOIN branches b ON b.id = x.branch_id
             WHERE x.issue_id = i.id AND b.id = ANY($2::uuid[]) AND b.decides)
           AND NOT EXISTS (SELECT FROM issue_scans y JOIN scans s ON s.id = y.scan_id
                            WHERE y.issue_id = i.id AND s.branch IS NULL))
   RETURNING i.id`,
);

@Injectable()
export class IssueBranchesRepository {
  constructor(private readonly database: Database) {}

  async leave(branchIds: string[], issueIds: string[]): Promise<void> {
    await this.database.execute(leave, [branchIds, issueIds]);
  }

  async recall(organizationId: string, branchIds: string[], identities: string[]): Promise<void> {
    await this.database.execute(recall, [organizationId, identities, branchIds]);
  }

  /** Takes their issues from closed branches; returns those that are resolved by it. */
  async end(organizationId: string, branchIds: string[]): Promise<string[]> {
    return (await this.database.rows<{ id: string }>(end, [organizationId, branchIds])).map(({ id }) => id);
  }

  /** Lets the issues of these branches follow what the branches are now; returns those that changed. */
  follow(organizationId: string, branchIds: string[]): Promise<FollowedIssue[]> {
    return this.database.rows<FollowedIssue & Record<string, unknown>>(follow, [organizationId, branchIds]);
  }
}
