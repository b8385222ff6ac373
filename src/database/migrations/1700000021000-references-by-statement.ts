import type { MigrationInterface, QueryRunner } from 'typeorm';

const keys = `
ALTER TABLE issue_scans DROP CONSTRAINT issue_scans_issue_id_fkey, DROP CONSTRAINT issue_scans_scan_id_fkey;
ALTER TABLE issue_targets DROP CONSTRAINT issue_targets_issue_id_fkey, DROP CONSTRAINT issue_targets_scan_id_fkey;
ALTER TABLE issue_activities DROP CONSTRAINT issue_activities_issue_id_fkey;
ALTER TABLE issues
  DROP CONSTRAINT issues_asset_id_fkey, DROP CONSTRAINT issues_organization_id_fkey, DROP CONSTRAINT issues_scan_id_fkey;
`;

type Referred = 'assets' | 'issues' | 'organizations' | 'scans';

/**
 * What a foreign key does, once a statement rather than once a row: what is referred to must be there, and cannot be deleted
 * before this transaction ends. What this transaction itself inserted needs no lock: nobody else sees it.
 */
function referTo(table: Referred): string {
  const column = `${table.slice(0, -1)}_id`;
  return `
CREATE FUNCTION refer_to_${table}() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  ids uuid[] := ARRAY(SELECT DISTINCT ${column} FROM added WHERE ${column} IS NOT NULL);
BEGIN
  PERFORM FROM ${table} WHERE id = ANY (ids) AND xmin <> pg_current_xact_id()::xid FOR KEY SHARE;
  IF (SELECT count(*) FROM ${table} WHERE id = ANY (ids)) < cardinality(ids) THEN
    RAISE foreign_key_violation USING
      MESSAGE = format('Rows of %I refer by ${column} to what is not in ${table}', TG_TABLE_NAME),
      TABLE = TG_TABLE_NAME, CONSTRAINT = TG_TABLE_NAME || '_${column}_fkey';
  END IF;
  RETURN NULL;
END $$;`;
}

function referring(table: string, to: Referred, events = ['INSERT', 'UPDATE']): string {
  return events
    .map(
      (event) => `
CREATE TRIGGER ${table}_refer_to_${to}_on_${event.toLowerCase()} AFTER ${event} ON ${table}
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION refer_to_${to}();`,
    )
    .join('');
}

const references = [
  referTo('assets'),
  referTo('issues'),
  referTo('organizations'),
  referTo('scans'),
  referring('issue_scans', 'issues'),
  referring('issue_scans', 'scans'),
  referring('issue_targets', 'issues'),
  referring('issue_targets', 'scans'),
  referring('issue_activities', 'issues'),
  // No issue ever moves to another asset or organization.
  referring('issues', 'assets', ['INSERT']),
  referring('issues', 'organizations', ['INSERT']),
  referring('issues', 'scans'),
].join('');

const deletions = `
CREATE FUNCTION follow_deleted_issues() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  ids uuid[] := ARRAY(SELECT id FROM removed);
BEGIN
  DELETE FROM issue_scans WHERE issue_id = ANY (ids);
  DELETE FROM issue_targets WHERE issue_id = ANY (ids);
  DELETE FROM issue_activities WHERE issue_id = ANY (ids);
  RETURN NULL;
END $$;

CREATE FUNCTION follow_deleted_scans() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  ids uuid[] := ARRAY(SELECT id FROM removed);
BEGIN
  DELETE FROM issue_scans WHERE scan_id = ANY (ids);
  UPDATE issue_targets SET scan_id = NULL WHERE scan_id = ANY (ids);
  UPDATE issues SET scan_id = NULL WHERE scan_id = ANY (ids);
  RETURN NULL;
END $$;

CREATE FUNCTION keep_assets_of_issues() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  IF EXISTS (SELECT FROM issues WHERE asset_id = ANY (ARRAY(SELECT id FROM removed))) THEN
    RAISE foreign_key_violation USING
      MESSAGE = 'Assets that have issues cannot be deleted', TABLE = 'issues', CONSTRAINT = 'issues_asset_id_fkey';
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION follow_deleted_organizations() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  DELETE FROM issues WHERE organization_id = ANY (ARRAY(SELECT id FROM removed));
  RETURN NULL;
END $$;

CREATE TRIGGER issues_deleted AFTER DELETE ON issues
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION follow_deleted_issues();
CREATE TRIGGER scans_deleted AFTER DELETE ON scans
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION follow_deleted_scans();
CREATE TRIGGER assets_deleted AFTER DELETE ON assets
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION keep_assets_of_issues();
CREATE TRIGGER organizations_deleted AFTER DELETE ON organizations
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION follow_deleted_organizations();
`;

const back = `
DROP TRIGGER assets_deleted ON assets;
DROP TRIGGER issues_deleted ON issues;
DROP TRIGGER organizations_deleted ON organizations;
DROP TRIGGER scans_deleted ON scans;
DROP FUNCTION follow_deleted_issues, follow_deleted_organizations, follow_deleted_scans, keep_assets_of_issues;
DROP FUNCTION refer_to_assets, refer_to_issues, refer_to_organizations, refer_to_scans CASCADE;
ALTER TABLE issue_scans
  ADD CONSTRAINT issue_scans_issue_id_fkey FOREIGN KEY (issue_id) REFERENCES issues (id) ON DELETE CASCADE,
  ADD CONSTRAINT issue_scans_scan_id_fkey FOREIGN KEY (scan_id) REFERENCES scans (id) ON DELETE CASCADE;
ALTER TABLE issue_targets
  ADD CONSTRAINT issue_targets_issue_id_fkey FOREIGN KEY (issue_id) REFERENCES issues (id) ON DELETE CASCADE,
  ADD CONSTRAINT issue_targets_scan_id_fkey FOREIGN KEY (scan_id) REFERENCES scans (id) ON DELETE SET NULL;
ALTER TABLE issue_activities
  ADD CONSTRAINT issue_activities_issue_id_fkey FOREIGN KEY (issue_id) REFERENCES issues (id) ON DELETE CASCADE;
ALTER TABLE issues
  ADD CONSTRAINT issues_asset_id_fkey FOREIGN KEY (asset_id) REFERENCES assets (id),
  ADD CONSTRAINT issues_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE,
  ADD CONSTRAINT issues_scan_id_fkey FOREIGN KEY (scan_id) REFERENCES scans (id) ON DELETE SET NULL;
`;

/** The references of what imports add by the hundred thousand: docs/decisions/2026-11-23-references-by-statement.md. */
export class ReferencesByStatement1700000021000 implements MigrationInterface {
  name = 'ReferencesByStatement1700000021000';

  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [keys, references, deletions]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(back);
  }
}
