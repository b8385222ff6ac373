import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Saved filters of issues, of a user or of the organization. */
const views = `
CREATE TABLE issue_views (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  owner_id uuid REFERENCES users (id) ON DELETE SET NULL,
  name varchar(100) NOT NULL,
  shared boolean NOT NULL,
  filter jsonb NOT NULL,
  sort text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX issue_views_shared_name_key ON issue_views (organization_id, lower(name)) WHERE shared;
CREATE UNIQUE INDEX issue_views_own_name_key ON issue_views (organization_id, owner_id, lower(name)) WHERE NOT shared;
CREATE INDEX issue_views_newest_idx ON issue_views (organization_id, created_at DESC, id DESC);
CREATE INDEX issue_views_owner_idx ON issue_views (owner_id);
`;

/** Saved views. */
export class IssueViews1764330000002 implements MigrationInterface {
  name = 'IssueViews1764330000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(views);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only add: restore a backup of before instead'));
  }
}
