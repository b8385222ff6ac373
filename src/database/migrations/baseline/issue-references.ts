type Referred = 'assets' | 'issues' | 'organizations' | 'scans';

/**
 * Does the work of a foreign key once for each statement rather than for each row: the referenced rows must exist, and
 * cannot be deleted before this transaction ends. Rows that this transaction inserted need no lock, since no other
 * transaction sees them.
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

CREATE FUNCTION follow_deleted_issue_details() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  DELETE FROM issue_details WHERE issue_id = ANY (ARRAY(SELECT id FROM removed));
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
CREATE TRIGGER issues_deleted_details AFTER DELETE ON issues
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION follow_deleted_issue_details();
CREATE TRIGGER scans_deleted AFTER DELETE ON scans
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION follow_deleted_scans();
CREATE TRIGGER assets_deleted AFTER DELETE ON assets
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION keep_assets_of_issues();
CREATE TRIGGER organizations_deleted AFTER DELETE ON organizations
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION follow_deleted_organizations();
`;

/**
 * Imports add rows by the hundred thousand; triggers check their references once for each statement:
 * docs/decisions/2026-11-23-references-by-statement.md.
 */
export const issueReferences = references + deletions;
