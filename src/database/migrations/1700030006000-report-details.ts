import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What reports say of issues beyond what every issue has; a rule is kept once, however many issues it has. */
const details = `
CREATE TABLE issue_rules (
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  digest text NOT NULL,
  rule jsonb NOT NULL,
  PRIMARY KEY (organization_id, digest)
);
CREATE TABLE issue_details (
  issue_id uuid PRIMARY KEY,
  rule_digest text,
  detail jsonb NOT NULL
);
CREATE FUNCTION follow_deleted_issue_details() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  DELETE FROM issue_details WHERE issue_id = ANY (ARRAY(SELECT id FROM removed));
  RETURN NULL;
END $$;
CREATE TRIGGER issues_deleted_details AFTER DELETE ON issues
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION follow_deleted_issue_details();
`;

/** All issues of an import by their outcome, kept for a day for whoever asked for them. */
const pages = `
CREATE TABLE import_pages (
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  import_id uuid NOT NULL,
  page integer NOT NULL,
  issues json NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, import_id, page)
);
CREATE INDEX import_pages_age_idx ON import_pages (created_at);
`;

export class ReportDetails1700030006000 implements MigrationInterface {
  name = 'ReportDetails1700030006000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(details);
    await runner.query(pages);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE import_pages');
    await runner.query('DROP TRIGGER issues_deleted_details ON issues');
    await runner.query('DROP FUNCTION follow_deleted_issue_details');
    await runner.query('DROP TABLE issue_details');
    await runner.query('DROP TABLE issue_rules');
  }
}
