import type { MigrationInterface, QueryRunner } from 'typeorm';

const organizations = `
CREATE TABLE organizations (
  id uuid PRIMARY KEY,
  name varchar(200) NOT NULL,
  scoped_webhook_export_payload boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);

CREATE TABLE organization_members (
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  role text NOT NULL CHECK (role IN ('admin', 'member', 'viewer')),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, user_id)
);
CREATE INDEX organization_members_newest_idx ON organization_members (organization_id, created_at DESC, user_id DESC);
CREATE INDEX organization_members_user_idx ON organization_members (user_id);

CREATE TABLE api_keys (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  name varchar(200) NOT NULL,
  role text NOT NULL CHECK (role IN ('admin', 'member', 'viewer')),
  prefix text NOT NULL,
  key_hash text NOT NULL UNIQUE,
  created_by uuid REFERENCES users (id) ON DELETE SET NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  revoked_at timestamptz(3)
);
CREATE INDEX api_keys_newest_idx ON api_keys (organization_id, created_at DESC, id DESC);
CREATE INDEX api_keys_maker_idx ON api_keys (created_by);
`;

const resources = `
CREATE TABLE profiles (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  name varchar(200) NOT NULL,
  scanner_kind text NOT NULL,
  type text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX profiles_newest_idx ON profiles (organization_id, created_at DESC, id DESC);

CREATE TABLE tags (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  name varchar(100) NOT NULL,
  color varchar(32),
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX tags_name_key ON tags (organization_id, lower(name));
CREATE INDEX tags_newest_idx ON tags (organization_id, created_at DESC, id DESC);

CREATE TABLE locations (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  name varchar(200) NOT NULL,
  type text NOT NULL CHECK (type IN ('PLATFORM', 'PRIVATE')),
  target text NOT NULL,
  ip text,
  region text,
  enabled boolean NOT NULL DEFAULT true,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX locations_newest_idx ON locations (organization_id, created_at DESC, id DESC);

CREATE TABLE integrations (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  name varchar(200) NOT NULL,
  kind text NOT NULL,
  valid boolean NOT NULL DEFAULT true,
  parameters_sealed text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX integrations_newest_idx ON integrations (organization_id, created_at DESC, id DESC);

CREATE TABLE assets (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  name text NOT NULL,
  type text NOT NULL,
  class text NOT NULL,
  uri text NOT NULL,
  service jsonb,
  frontend jsonb,
  host jsonb,
  repository jsonb,
  schema jsonb,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX assets_uri_key ON assets (organization_id, md5(uri));
CREATE INDEX assets_newest_idx ON assets (organization_id, created_at DESC, id DESC);
CREATE INDEX assets_class_idx ON assets (organization_id, class, created_at DESC, id DESC);
CREATE INDEX assets_type_idx ON assets (organization_id, type, created_at DESC, id DESC);
CREATE INDEX assets_text_idx ON assets USING gin (name gin_trgm_ops, uri gin_trgm_ops);

CREATE TABLE asset_tags (
  asset_id uuid NOT NULL REFERENCES assets (id) ON DELETE CASCADE,
  tag_id uuid NOT NULL REFERENCES tags (id) ON DELETE CASCADE,
  PRIMARY KEY (asset_id, tag_id)
);
CREATE INDEX asset_tags_tag_idx ON asset_tags (tag_id);
`;

const scansAndIssues = `
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
  finished_at timestamptz(3)
);
CREATE INDEX scans_newest_idx ON scans (organization_id, created_at DESC, id DESC);
CREATE INDEX scans_profile_idx ON scans (application_id, created_at DESC, id DESC);
CREATE INDEX scans_location_idx ON scans (location_id);

CREATE TABLE scan_assets (
  scan_id uuid NOT NULL REFERENCES scans (id) ON DELETE CASCADE,
  asset_id uuid NOT NULL REFERENCES assets (id),
  PRIMARY KEY (scan_id, asset_id)
);
CREATE INDEX scan_assets_asset_idx ON scan_assets (asset_id);

CREATE TABLE issues (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  asset_id uuid NOT NULL REFERENCES assets (id),
  name text NOT NULL,
  full_name text NOT NULL,
  severity text NOT NULL CHECK (severity IN ('CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO')),
  category text NOT NULL,
  status text NOT NULL CHECK (status IN ('OPEN', 'RESOLVED', 'MANUAL_REVIEW', 'IGNORED', 'FALSE_POSITIVE')),
  context text NOT NULL DEFAULT '',
  alert_uid text NOT NULL,
  security_test_uid text NOT NULL,
  identity text NOT NULL,
  scan_id uuid REFERENCES scans (id) ON DELETE SET NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX issues_identity_key ON issues (organization_id, identity);
CREATE INDEX issues_newest_idx ON issues (organization_id, created_at DESC, id DESC);
CREATE INDEX issues_asset_idx ON issues (asset_id, created_at DESC, id DESC);
CREATE INDEX issues_scan_idx ON issues (scan_id);

CREATE TABLE issue_scans (
  issue_id uuid NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  scan_id uuid NOT NULL REFERENCES scans (id) ON DELETE CASCADE,
  PRIMARY KEY (issue_id, scan_id)
);
CREATE INDEX issue_scans_scan_idx ON issue_scans (scan_id);

CREATE TABLE issue_targets (
  id uuid PRIMARY KEY,
  issue_id uuid NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  target_uid text NOT NULL,
  scan_id uuid REFERENCES scans (id) ON DELETE SET NULL,
  detail jsonb NOT NULL
);
CREATE UNIQUE INDEX issue_targets_uid_key ON issue_targets (issue_id, md5(target_uid));
CREATE INDEX issue_targets_scan_idx ON issue_targets (scan_id);

CREATE TABLE issue_activities (
  id uuid PRIMARY KEY,
  issue_id uuid NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('STATUS', 'SEVERITY', 'COMMENT')),
  from_value text,
  to_value text,
  comment text,
  actor_kind text NOT NULL CHECK (actor_kind IN ('USER', 'API_KEY', 'SYSTEM')),
  actor_user_id uuid REFERENCES users (id) ON DELETE SET NULL,
  actor_key_name text,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX issue_activities_newest_idx ON issue_activities (issue_id, created_at DESC, id DESC);
CREATE INDEX issue_activities_actor_idx ON issue_activities (actor_user_id);
`;

/**
 * Nothing points at events and they point at nothing, so that a month's partition comes and goes by itself. An event's id
 * carries its `created_at`, so the primary key keeps ids apart and serves the newest-first list. `arrived` is the
 * transaction that wrote the event: two snapshots tell what came between them, back-dated events included.
 */
const events = `
CREATE TABLE scan_events (
  id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL,
  organization_id uuid NOT NULL,
  scan_id uuid NOT NULL,
  profile_id uuid NOT NULL,
  level text NOT NULL,
  stage text NOT NULL,
  title text NOT NULL,
  description text NOT NULL,
  asset_ids uuid[] NOT NULL,
  issue_ids uuid[] NOT NULL,
  attachments json NOT NULL,
  attachment_types text[] NOT NULL,
  attachment_text text NOT NULL,
  arrived xid8 NOT NULL DEFAULT pg_current_xact_id(),
  PRIMARY KEY (organization_id, created_at, id)
) PARTITION BY RANGE (created_at);
CREATE INDEX scan_events_scan_idx ON scan_events (scan_id, created_at DESC, id DESC);
CREATE INDEX scan_events_profile_idx ON scan_events (profile_id, created_at DESC, id DESC);
CREATE INDEX scan_events_kind_idx ON scan_events (organization_id, level, stage, id);
CREATE INDEX scan_events_attached_idx ON scan_events (organization_id, created_at DESC, id DESC)
  WHERE attachment_types <> '{}';
CREATE INDEX scan_events_exchange_idx ON scan_events (organization_id, created_at DESC, id DESC)
  WHERE attachment_types @> '{EXCHANGE}';
CREATE INDEX scan_events_snippet_idx ON scan_events (organization_id, created_at DESC, id DESC)
  WHERE attachment_types @> '{SNIPPET}';
CREATE INDEX scan_events_screenshot_idx ON scan_events (organization_id, created_at DESC, id DESC)
  WHERE attachment_types @> '{SCREENSHOT}';
CREATE INDEX scan_events_arrived_idx ON scan_events (organization_id, arrived, id);
CREATE INDEX scan_events_assets_idx ON scan_events USING gin (asset_ids);
CREATE INDEX scan_events_issues_idx ON scan_events USING gin (issue_ids);
CREATE INDEX scan_events_text_idx ON scan_events
  USING gin ((title || chr(10) || description || chr(10) || attachment_text) gin_trgm_ops);
`;

const workflows = `
CREATE TABLE workflows (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  name varchar(200) NOT NULL,
  enabled boolean NOT NULL DEFAULT true,
  trigger_type text NOT NULL,
  cron text,
  time_zone text NOT NULL DEFAULT 'UTC',
  conditions jsonb NOT NULL DEFAULT '{}',
  throttle_ms integer NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX workflows_newest_idx ON workflows (organization_id, created_at DESC, id DESC);
CREATE INDEX workflows_trigger_idx ON workflows (organization_id, trigger_type) WHERE enabled;

CREATE TABLE workflow_triggers (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  type text NOT NULL,
  subjects jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX workflow_triggers_organization_idx ON workflow_triggers (organization_id);
`;

const tableNames =
  'workflow_triggers, workflows, scan_events, issue_activities, issue_targets, issue_scans, issues, scan_assets, scans, ' +
  'asset_tags, assets, integrations, locations, tags, profiles, api_keys, organization_members, organizations';

/** The scanning wing's tables: organizations, resources, scans, issues and events. */
export class Scanning1700000001000 implements MigrationInterface {
  name = 'Scanning1700000001000';

  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [organizations, resources, scansAndIssues, events, workflows]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE ${tableNames}`);
  }
}
