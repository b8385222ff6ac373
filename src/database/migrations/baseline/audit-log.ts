/**
 * The audit log, with one partition for each month. Rows are final: triggers refuse to change or delete them, on each
 * partition too, and only whole months are dropped. The table has no foreign keys, since an entry outlives the resource
 * that it describes.
 */
export const auditLog = `
CREATE TABLE audit_entries (
  id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL,
  log_id uuid NOT NULL,
  action text NOT NULL,
  actor_kind text NOT NULL,
  actor_id uuid,
  actor_name text,
  subject_type text NOT NULL,
  subject_id text NOT NULL,
  subject_name text,
  changes jsonb NOT NULL,
  address text,
  request_id text,
  device text,
  PRIMARY KEY (log_id, created_at, id)
) PARTITION BY RANGE (created_at);
CREATE INDEX audit_entries_action_idx ON audit_entries (log_id, action, created_at, id);
CREATE INDEX audit_entries_actor_idx ON audit_entries (log_id, actor_id, created_at, id);
CREATE INDEX audit_entries_subject_type_idx ON audit_entries (log_id, subject_type, created_at, id);
CREATE INDEX audit_entries_subject_idx ON audit_entries (log_id, subject_id, created_at, id);

CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'The audit log is append-only: % of % is refused', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER audit_entries_change BEFORE UPDATE OR DELETE ON audit_entries
  FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER audit_entries_truncation BEFORE TRUNCATE ON audit_entries
  EXECUTE FUNCTION refuse_audit_change();
`;
