import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Who is to fix an issue and until when, until when somebody bears it, and where it is worked on. Whoever accepted it is a
 * user (`accepted_by`) or an API key, by its name.
 */
const issues = `
ALTER TABLE issues
  ADD COLUMN assignee_id uuid,
  ADD COLUMN due_at timestamptz(3),
  ADD COLUMN accepted_until timestamptz(3),
  ADD COLUMN accepted_reason text,
  ADD COLUMN accepted_by uuid,
  ADD COLUMN accepted_by_key text,
  ADD COLUMN external_url text,
  ADD COLUMN last_seen_at timestamptz(3),
  ADD COLUMN tool text;
ALTER TABLE issue_activities DROP CONSTRAINT issue_activities_kind_check;
ALTER TABLE issue_activities ADD CONSTRAINT issue_activities_kind_check CHECK (kind IN (
  'STATUS', 'SEVERITY', 'COMMENT', 'CONTEXT', 'TARGETS', 'ASSIGNEE', 'DUE_DATE', 'ACCEPTANCE', 'LINK')) NOT VALID;
`;

/** How an organization wants its issues handled: the days to fix them, null for no due date. */
const policies = `
CREATE TABLE issue_policies (
  organization_id uuid PRIMARY KEY REFERENCES organizations (id) ON DELETE CASCADE,
  critical_days integer CHECK (critical_days BETWEEN 0 AND 3650),
  high_days integer CHECK (high_days BETWEEN 0 AND 3650),
  medium_days integer CHECK (medium_days BETWEEN 0 AND 3650),
  low_days integer CHECK (low_days BETWEEN 0 AND 3650),
  info_days integer CHECK (info_days BETWEEN 0 AND 3650),
  reason_required boolean NOT NULL DEFAULT false,
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
`;

/** Who gets the new issues of assets with a tag; of several tags, the one with the least position decides. */
const assignees = `
CREATE TABLE issue_default_assignees (
  organization_id uuid NOT NULL,
  tag_id uuid NOT NULL REFERENCES tags (id) ON DELETE CASCADE,
  user_id uuid NOT NULL,
  position integer NOT NULL,
  PRIMARY KEY (organization_id, tag_id),
  CONSTRAINT issue_default_assignees_member_fkey FOREIGN KEY (organization_id, user_id)
    REFERENCES organization_members (organization_id, user_id) ON DELETE CASCADE
);
CREATE INDEX issue_default_assignees_tag_idx ON issue_default_assignees (tag_id);
CREATE INDEX issue_default_assignees_member_idx ON issue_default_assignees (organization_id, user_id);
`;

/** What people decide about issues, and the policy of an organization. */
export class IssuePeople1764330000000 implements MigrationInterface {
  name = 'IssuePeople1764330000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [issues, policies, assignees]) await runner.query(sql);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only add: restore a backup of before instead'));
  }
}
