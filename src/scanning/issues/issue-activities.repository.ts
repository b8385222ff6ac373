import { Injectable } from '@nestjs/common';
import { uuidV7 } from '../../platform/crypto/uuid-v7.js';
import { Database, statement } from '../../database/database.js';
import type { ActivityKind, ActorKind, IssueActivity } from './issues.dto.js';

/** Who changed an issue. */
export interface Actor {
  kind: ActorKind;
  userId: string | null;
  keyName: string | null;
}

/** The service, on behalf of a scan. */
export const systemActor: Actor = { kind: 'SYSTEM', userId: null, keyName: null };

export interface NewActivity {
  issueId: string;
  kind: ActivityKind;
  from: string | null;
  to: string | null;
  comment?: string | null;
}

/** With the time after the lock on the issue: a transaction may have begun before one that changed the issue earlier. */
const insert = statement(
  'issue-activities.insert',
  `INSERT INTO issue_activities (id, issue_id, organization_id, kind, from_value, to_value, comment, actor_kind,
                                 actor_user_id, actor_key_name, created_at)
   SELECT a.id, a."issueId", $5, a.kind, a."from", a."to", a.comment, $2, $3, $4, statement_timestamp()
     FROM json_to_recordset($1::json) AS a(id uuid, "issueId" uuid, kind text, "from" text, "to" text, comment text)`,
);

/** The most activities of each kind by scans that an issue keeps. */
const keptPerKind = 20;

/** Keeps the newest activities of scans; the acts of users, and every change of status or severity, stay. */
const forgetOld = statement(
  'issue-activities.forget-old',
  `DELETE FROM issue_activities WHERE id IN (
     SELECT id FROM (
       SELECT id, row_number() OVER (PARTITION BY issue_id, kind ORDER BY created_at DESC, id DESC) AS place
         FROM issue_activities WHERE issue_id = ANY($1::uuid[]) AND kind IN ('CONTEXT', 'TARGETS')) AS numbered
      WHERE place > ${keptPerKind})`,
);

/** An assignee is stored by the id, and read by the present name; a deleted account stays an id. */
const nameWhereUser = (value: string): string => `CASE WHEN a.kind = 'ASSIGNEE' THEN
  coalesce((SELECT n.username FROM users n WHERE n.id = ${value}::uuid AND n.deleted_at IS NULL), ${value}) ELSE ${value} END`;

/** Users appear under their present names; a deleted account has none. */
const page = statement(
  'issue-activities.page',
  `SELECT a.id, a.kind, ${nameWhereUser('a.from_value')} AS "from", ${nameWhereUser('a.to_value')} AS "to", a.comment, a.created_at AS "createdAt",
          json_build_object('kind', a.actor_kind, 'userId', a.actor_user_id,
                            'name', coalesce(a.actor_key_name, u.username)) AS actor
     FROM issue_activities a LEFT JOIN users u ON u.id = a.actor_user_id AND u.deleted_at IS NULL
    WHERE a.issue_id = (SELECT id FROM issues WHERE organization_id = $1 AND id = $2)
      AND (a.created_at, a.id) < ($3, $4)
    ORDER BY a.created_at DESC, a.id DESC LIMIT $5`,
);

@Injectable()
export class IssueActivitiesRepository {
  constructor(private readonly database: Database) {}

  async insert(organizationId: string, actor: Actor, activities: NewActivity[]): Promise<void> {
    if (activities.length === 0) return;
    const rows = JSON.stringify(activities.map((activity) => ({ id: uuidV7(), ...activity })));
    await this.database.execute(insert, [rows, actor.kind, actor.userId, actor.keyName, organizationId]);
  }

  /** Deletes the activities of all but the newest scans on these issues. */
  async forgetOld(issueIds: string[]): Promise<void> {
    if (issueIds.length > 0) await this.database.execute(forgetOld, [issueIds]);
  }

  page(organizationId: string, issueId: string, after: unknown[], limit: number): Promise<IssueActivity[]> {
    return this.database.rows<IssueActivity>(page, [organizationId, issueId, ...after, limit]);
  }
}
