import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database.js';
import type { DefaultAssignee, IssuePolicy, IssuePolicyUpdate } from './issue-policy.dto.js';

/** Without a policy, one that asks for nothing. */
const policy = statement(
  'issue-policies.get',
  `SELECT json_build_object('CRITICAL', p.critical_days, 'HIGH', p.high_days, 'MEDIUM', p.medium_days, 'LOW', p.low_days,
                            'INFO', p.info_days) AS "daysToFix",
          coalesce(p.reason_required, false) AS "reasonRequired",
          (SELECT coalesce(json_agg(json_build_object('tagId', d.tag_id, 'tagName', t.name, 'userId', d.user_id,
                                                      'username', u.username) ORDER BY d.position, d.tag_id), '[]')
             FROM issue_default_assignees d JOIN tags t ON t.id = d.tag_id JOIN users u ON u.id = d.user_id
            WHERE d.organization_id = $1) AS assignees
     FROM (SELECT) AS one LEFT JOIN issue_policies p ON p.organization_id = $1`,
);

const isReasonRequired = statement(
  'issue-policies.is-reason-required',
  'SELECT reason_required AS required FROM issue_policies WHERE organization_id = $1',
);

/** Lets changes of one policy wait for each other, also of the first one: it asks for nothing, as no policy does. */
const lock = statement(
  'issue-policies.lock',
  `INSERT INTO issue_policies (organization_id) VALUES ($1)
   ON CONFLICT (organization_id) DO UPDATE SET organization_id = excluded.organization_id`,
);

const save = statement(
  'issue-policies.save',
  `INSERT INTO issue_policies (organization_id, critical_days, high_days, medium_days, low_days, info_days, reason_required)
   VALUES ($1, $2, $3, $4, $5, $6, $7)
   ON CONFLICT (organization_id) DO UPDATE
      SET critical_days = excluded.critical_days, high_days = excluded.high_days, medium_days = excluded.medium_days,
          low_days = excluded.low_days, info_days = excluded.info_days, reason_required = excluded.reason_required,
          updated_at = now()`,
);

/** The first of these that names no tag or no member of the organization; the others stay so until the unit of work ends. */
const foreign = statement(
  'issue-policies.foreign',
  `WITH given AS (
     SELECT g."tagId", g."userId", g.place FROM ROWS FROM (json_to_recordset($2::json) AS ("tagId" uuid, "userId" uuid))
            WITH ORDINALITY AS g("tagId", "userId", place)
   ), known_tags AS (
     SELECT id FROM tags WHERE organization_id = $1 AND id IN (SELECT "tagId" FROM given) FOR KEY SHARE
   ), members AS (
     SELECT user_id FROM organization_members
      WHERE organization_id = $1 AND user_id IN (SELECT "userId" FROM given) FOR KEY SHARE
   )
   SELECT (place - 1)::integer AS place, "tagId" NOT IN (SELECT id FROM known_tags) AS "isTag"
     FROM given
    WHERE "tagId" NOT IN (SELECT id FROM known_tags) OR "userId" NOT IN (SELECT user_id FROM members)
    ORDER BY place LIMIT 1`,
);

const removeOthers = statement(
  'issue-policies.remove-other-assignees',
  'DELETE FROM issue_default_assignees WHERE organization_id = $1 AND tag_id <> ALL($2::uuid[])',
);

const saveAssignees = statement(
  'issue-policies.save-assignees',
  `INSERT INTO issue_default_assignees (organization_id, tag_id, user_id, position)
   SELECT $1, g."tagId", g."userId", g.place
     FROM ROWS FROM (json_to_recordset($2::json) AS ("tagId" uuid, "userId" uuid))
          WITH ORDINALITY AS g("tagId", "userId", place)
    ORDER BY g."tagId"
   ON CONFLICT (organization_id, tag_id) DO UPDATE SET user_id = excluded.user_id, position = excluded.position`,
);

@Injectable()
export class IssuePoliciesRepository {
  constructor(private readonly database: Database) {}

  get(organizationId: string): Promise<IssuePolicy> {
    return this.database.one<IssuePolicy & object>(policy, [organizationId]);
  }

  async isReasonRequired(organizationId: string): Promise<boolean> {
    const row = await this.database.row<{ required: boolean }>(isReasonRequired, [organizationId]);
    return row?.required ?? false;
  }

  /** The first of these with a tag or a user that is not the organization's, or null. */
  foreign(organizationId: string, assignees: DefaultAssignee[]): Promise<{ place: number; isTag: boolean } | null> {
    return this.database.row(foreign, [organizationId, JSON.stringify(assignees)]);
  }

  /** Locks the policy until the unit of work ends. */
  async lock(organizationId: string): Promise<void> {
    await this.database.execute(lock, [organizationId]);
  }

  async save(organizationId: string, { daysToFix, reasonRequired, assignees }: IssuePolicyUpdate): Promise<void> {
    const { CRITICAL = null, HIGH = null, MEDIUM = null, LOW = null, INFO = null } = daysToFix;
    await this.database.execute(save, [organizationId, CRITICAL, HIGH, MEDIUM, LOW, INFO, reasonRequired]);
    await this.database.execute(removeOthers, [organizationId, assignees.map(({ tagId }) => tagId)]);
    if (assignees.length > 0) {
      await this.database.execute(saveAssignees, [organizationId, JSON.stringify(assignees)]);
    }
  }
}
