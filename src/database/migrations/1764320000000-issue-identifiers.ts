import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Where an asset's code is read: addresses of lines begin with it. */
const sources = `ALTER TABLE assets ADD COLUMN source_url text;`;

/** The identifiers of issues (CVE, CWE …) as rows, by which lists find issues. */
const identifiers = `
CREATE TABLE issue_identifiers (
  organization_id uuid NOT NULL,
  issue_id uuid NOT NULL,
  value text NOT NULL,
  PRIMARY KEY (issue_id, value)
);
CREATE INDEX issue_identifiers_value_idx ON issue_identifiers (organization_id, value, issue_id);
`;

/** The rows follow from the details in the same statement, so that they are never behind, whoever writes the details. */
const following = `
CREATE FUNCTION identify_issues(ids uuid[]) RETURNS void LANGUAGE sql SET enable_seqscan = off AS $$
  WITH named AS MATERIALIZED (
    SELECT DISTINCT i.organization_id, d.issue_id, one ->> 'value' AS value
      FROM issue_details d
      JOIN issues i ON i.id = d.issue_id
     CROSS JOIN LATERAL jsonb_array_elements(d.detail -> 'identifiers') AS one
     WHERE d.issue_id = ANY (ids)
  ), gone AS (
    DELETE FROM issue_identifiers x
     WHERE x.issue_id = ANY (ids)
       AND NOT EXISTS (SELECT FROM named n WHERE n.issue_id = x.issue_id AND n.value = x.value)
  )
  INSERT INTO issue_identifiers (organization_id, issue_id, value)
  SELECT organization_id, issue_id, value FROM named ORDER BY issue_id, value
      ON CONFLICT DO NOTHING
$$;

CREATE FUNCTION identify_described_issues() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM identify_issues(ARRAY(SELECT issue_id FROM described));
  RETURN NULL;
END $$;
CREATE TRIGGER issue_details_identify_on_insert AFTER INSERT ON issue_details
  REFERENCING NEW TABLE AS described FOR EACH STATEMENT EXECUTE FUNCTION identify_described_issues();
CREATE TRIGGER issue_details_identify_on_update AFTER UPDATE ON issue_details
  REFERENCING NEW TABLE AS described FOR EACH STATEMENT EXECUTE FUNCTION identify_described_issues();

CREATE FUNCTION follow_deleted_issue_identifiers() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  DELETE FROM issue_identifiers WHERE issue_id = ANY (ARRAY(SELECT id FROM removed));
  RETURN NULL;
END $$;
CREATE TRIGGER issues_deleted_identifiers AFTER DELETE ON issues
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION follow_deleted_issue_identifiers();
`;

/** The identifiers of issues as rows, and the addresses of the code of assets. */
export class IssueIdentifiers1764320000000 implements MigrationInterface {
  name = 'IssueIdentifiers1764320000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [sources, identifiers, following]) await runner.query(sql);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only add: restore a backup of before instead'));
  }
}
