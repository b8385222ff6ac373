import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database.js';

/** An issue whose acceptance ended. */
export interface EndedAcceptance {
  id: string;
  organizationId: string;
  acceptedUntil: Date;
  acceptedReason: string | null;
}

const issuesAtOnce = 500;

/**
 * Opens issues whose acceptance is over. Each is locked, so that it is opened once; those in use are left for the next time.
 */
const openEnded = statement(
  'issues.open-ended',
  `WITH ended AS MATERIALIZED (
     SELECT i.id, i.accepted_until, i.accepted_reason FROM issues i
      WHERE i.accepted_until <= now() ORDER BY i.accepted_until LIMIT ${issuesAtOnce} FOR NO KEY UPDATE SKIP LOCKED
   )
   UPDATE issues i
      SET status = 'OPEN', status_set_by = NULL, accepted_until = NULL, accepted_reason = NULL, accepted_by = NULL,
          accepted_by_key = NULL, updated_at = now(), last_seen_at = coalesce(i.last_seen_at, i.updated_at)
     FROM ended WHERE i.id = ended.id
   RETURNING i.id, i.organization_id AS "organizationId", ended.accepted_until AS "acceptedUntil",
             ended.accepted_reason AS "acceptedReason"`,
);

const leftBehind = `issues i WHERE i.assignee_id = $1
  AND NOT EXISTS (SELECT FROM organization_members m WHERE m.organization_id = i.organization_id AND m.user_id = $1)`;

/** Takes issues from an assignee who is no member of their organization any more; those in use are left for later. */
const unassign = statement(
  'issues.unassign',
  `WITH left_behind AS MATERIALIZED (
     SELECT i.id FROM ${leftBehind} LIMIT ${issuesAtOnce} FOR NO KEY UPDATE OF i SKIP LOCKED
   )
   UPDATE issues i SET assignee_id = NULL, updated_at = now(), last_seen_at = coalesce(i.last_seen_at, i.updated_at)
     FROM left_behind WHERE i.id = left_behind.id
   RETURNING i.id, i.organization_id AS "organizationId"`,
);

const isLeftBehind = statement('issues.is-left-behind', `SELECT EXISTS (SELECT FROM ${leftBehind}) AS yes`);

/** Forgets who accepted issues, whose account is gone. */
const forgetAccepter = statement(
  'issues.forget-accepter',
  `UPDATE issues i SET accepted_by = NULL
    WHERE i.id IN (SELECT o.id FROM issues o WHERE o.accepted_by = $1 LIMIT ${issuesAtOnce})
      AND NOT EXISTS (SELECT FROM users u WHERE u.id = $1 AND u.deleted_at IS NULL)`,
);

/** What ends without anybody's doing: acceptances, and the work of people who left. */
@Injectable()
export class IssueAcceptancesRepository {
  constructor(private readonly database: Database) {}

  /** Opens some issues whose acceptance is over; returns them. */
  openEnded(): Promise<EndedAcceptance[]> {
    return this.database.rows<EndedAcceptance & object>(openEnded);
  }

  /** Takes some issues from who left their organization; returns them. */
  unassign(userId: string): Promise<{ id: string; organizationId: string }[]> {
    return this.database.rows(unassign, [userId]);
  }

  /** Whether somebody who left their organization still has issues of it. */
  async isLeftBehind(userId: string): Promise<boolean> {
    return (await this.database.one<{ yes: boolean }>(isLeftBehind, [userId])).yes;
  }

  /** Forgets that a deleted account accepted some issues; returns how many those were. */
  forgetAccepter(userId: string): Promise<number> {
    return this.database.execute(forgetAccepter, [userId]);
  }
}
