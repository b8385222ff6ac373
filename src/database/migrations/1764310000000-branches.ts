import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The branches of an asset. `decides` says whether what it has is the organization's: of the default branch, or, while the
 * asset has none, of every branch but those of pull requests.
 */
const branches = `
CREATE TABLE branches (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  asset_id uuid NOT NULL REFERENCES assets (id) ON DELETE CASCADE,
  name text NOT NULL,
  pull_request text,
  is_default boolean NOT NULL DEFAULT false,
  default_named boolean NOT NULL DEFAULT false,
  decides boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  opened_at timestamptz(3) NOT NULL DEFAULT now(),
  last_scanned_at timestamptz(3),
  closed_at timestamptz(3)
);
CREATE UNIQUE INDEX branches_name_key ON branches (asset_id, name);
CREATE UNIQUE INDEX branches_default_key ON branches (asset_id) WHERE is_default;
CREATE INDEX branches_newest_idx ON branches (organization_id, created_at DESC, id DESC);
CREATE INDEX branches_of_name_idx ON branches (organization_id, name);
CREATE INDEX branches_silent_idx ON branches (last_scanned_at) WHERE closed_at IS NULL AND NOT decides;
CREATE INDEX branches_closed_idx ON branches (closed_at) WHERE closed_at IS NOT NULL;
`;

const issueBranches = `
CREATE TABLE issue_branches (
  issue_id uuid NOT NULL,
  branch_id uuid NOT NULL,
  last_seen_at timestamptz(3) NOT NULL,
  present boolean NOT NULL,
  PRIMARY KEY (issue_id, branch_id)
);
CREATE INDEX issue_branches_branch_idx ON issue_branches (branch_id, issue_id);

CREATE FUNCTION follow_deleted_issue_branches() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan TO 'off' AS $$
BEGIN
  DELETE FROM issue_branches WHERE issue_id = ANY (ARRAY(SELECT id FROM removed));
  RETURN NULL;
END $$;
CREATE TRIGGER issues_deleted_branches AFTER DELETE ON issues REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION follow_deleted_issue_branches();
CREATE TRIGGER issue_branches_refer_to_issues_on_insert AFTER INSERT ON issue_branches REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION refer_to_issues();
`;

const columns = [
  `ALTER TABLE issues ADD COLUMN branch_only boolean NOT NULL DEFAULT false`,
  ...['branch', 'commit_id', 'pull_request', 'tool', 'tool_version', 'failure_reason'].map(
    (column) => `ALTER TABLE scans ADD COLUMN ${column} text`,
  ),
  `ALTER TABLE scans ADD COLUMN branch_only boolean NOT NULL DEFAULT false`,
  `ALTER TABLE scan_reports ADD COLUMN committed_at timestamptz(3)`,
];

/** Branches: which ones there are, and which issues each of them has. */
export class Branches1764310000000 implements MigrationInterface {
  name = 'Branches1764310000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(branches);
    await runner.query(issueBranches);
    for (const column of columns) await runner.query(column);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only add: restore a backup of before instead'));
  }
}
