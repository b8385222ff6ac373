const scans = `
CREATE TABLE scans (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  application_id uuid NOT NULL REFERENCES profiles (id),
  kind text NOT NULL,
  status text NOT NULL CHECK (status IN ('STARTING', 'RUNNING', 'FINISHED', 'FAILED', 'CANCELED')),
  location_id uuid REFERENCES locations (id) ON DELETE SET NULL,
  progress_ratio double precision NOT NULL DEFAULT 0 CHECK (progress_ratio BETWEEN 0 AND 1),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  finished_at timestamptz(3),
  changed_in bigint,
  changed_at timestamptz
);
CREATE INDEX scans_newest_idx ON scans (organization_id, created_at DESC, id DESC);
CREATE INDEX scans_profile_idx ON scans (application_id, created_at DESC, id DESC);
CREATE INDEX scans_location_idx ON scans (location_id);
CREATE INDEX scans_changed_idx ON scans (organization_id, changed_in);

CREATE TABLE scan_assets (
  scan_id uuid NOT NULL REFERENCES scans (id) ON DELETE CASCADE,
  asset_id uuid NOT NULL REFERENCES assets (id),
  PRIMARY KEY (scan_id, asset_id)
);
CREATE INDEX scan_assets_asset_idx ON scan_assets (asset_id);
`;

/**
 * Who set which field of an issue, and what its scanner reports: `tool_severity` is the severity from the newest scan
 * while a person's own severity applies, `set_aside` the status by which the scanner itself dismisses the issue.
 */
const found = `
CREATE TABLE issues (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  asset_id uuid NOT NULL,
  name text NOT NULL,
  full_name text NOT NULL,
  severity text NOT NULL CHECK (severity IN ('CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO')),
  category text NOT NULL,
  status text NOT NULL CHECK (status IN ('OPEN', 'RESOLVED', 'MANUAL_REVIEW', 'IGNORED', 'FALSE_POSITIVE')),
  context text NOT NULL DEFAULT '',
  alert_uid text NOT NULL,
  security_test_uid text NOT NULL,
  identity text NOT NULL,
  scan_id uuid,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  severity_set_by text CHECK (severity_set_by IN ('USER', 'API_KEY')),
  tool_severity text CHECK (tool_severity IN ('CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO')),
  status_set_by text CHECK (status_set_by IN ('USER', 'API_KEY')),
  set_aside text CHECK (set_aside IN ('IGNORED', 'FALSE_POSITIVE'))
);
CREATE UNIQUE INDEX issues_identity_key ON issues (organization_id, identity);
CREATE INDEX issues_newest_idx ON issues (organization_id, created_at DESC, id DESC);
CREATE INDEX issues_asset_idx ON issues (asset_id, created_at DESC, id DESC);
CREATE INDEX issues_scan_idx ON issues (scan_id);
CREATE INDEX issues_counts_idx ON issues (organization_id, severity, status, category);
CREATE INDEX issues_open_of_asset_idx ON issues (asset_id, severity) WHERE status = 'OPEN';

CREATE TABLE issue_scans (
  issue_id uuid NOT NULL,
  scan_id uuid NOT NULL,
  PRIMARY KEY (issue_id, scan_id)
);
CREATE INDEX issue_scans_scan_idx ON issue_scans (scan_id);

CREATE TABLE issue_targets (
  id uuid PRIMARY KEY,
  issue_id uuid NOT NULL,
  target_uid text NOT NULL,
  scan_id uuid,
  detail jsonb NOT NULL
);
CREATE UNIQUE INDEX issue_targets_uid_key ON issue_targets (issue_id, md5(target_uid));
CREATE INDEX issue_targets_scan_idx ON issue_targets (scan_id);

CREATE TABLE issue_activities (
  id uuid PRIMARY KEY,
  issue_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('STATUS', 'SEVERITY', 'COMMENT', 'CONTEXT', 'TARGETS')),
  from_value text,
  to_value text,
  comment text,
  actor_kind text NOT NULL CHECK (actor_kind IN ('USER', 'API_KEY', 'SYSTEM')),
  actor_user_id uuid REFERENCES users (id) ON DELETE SET NULL,
  actor_key_name text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  organization_id uuid NOT NULL
);
CREATE INDEX issue_activities_newest_idx ON issue_activities (issue_id, created_at DESC, id DESC);
CREATE INDEX issue_activities_actor_idx ON issue_activities (actor_user_id);
CREATE INDEX issue_activities_changes_idx ON issue_activities (organization_id, created_at)
  WHERE kind IN ('STATUS', 'SEVERITY');
`;

/**
 * Details of issues from reports, beyond the fields that every issue has; a rule is stored once, however many issues it
 * has.
 */
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
`;

/**
 * The report that a scan was made from, which shows what the next report no longer contains; the responses to imports
 * with an Idempotency-Key; and all issues of an import by their outcome, kept for a day for the caller.
 */
const imports = `
CREATE TABLE scan_reports (
  scan_id uuid PRIMARY KEY REFERENCES scans (id) ON DELETE CASCADE,
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  scope text NOT NULL,
  tool text NOT NULL,
  category text NOT NULL,
  branch text NOT NULL,
  commit_id text NOT NULL,
  is_whole boolean NOT NULL
);
CREATE INDEX scan_reports_scope_idx ON scan_reports (organization_id, scope, scan_id);

CREATE TABLE import_keys (
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  key text NOT NULL,
  request_hash text NOT NULL,
  response json NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, key)
);
CREATE INDEX import_keys_age_idx ON import_keys (created_at);

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

/** Scans, the issues that they found, and the reports that they were made of. */
export const issues = [scans, found, details, imports].join('');
