/**
 * Nobody becomes a member without agreeing: an admin creates an invitation. API keys with the role of importer can
 * import and read.
 */
const membership = `
CREATE TABLE organizations (
  id uuid PRIMARY KEY,
  name varchar(200) NOT NULL,
  scoped_webhook_export_payload boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  created_by uuid REFERENCES users (id) ON DELETE SET NULL
);
CREATE INDEX organizations_maker_idx ON organizations (created_by);

CREATE TABLE organization_members (
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  role text NOT NULL CHECK (role IN ('admin', 'member', 'viewer')),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, user_id)
);
CREATE INDEX organization_members_newest_idx ON organization_members (organization_id, created_at DESC, user_id DESC);
CREATE INDEX organization_members_user_idx ON organization_members (user_id);

CREATE TABLE organization_invitations (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  user_id uuid REFERENCES users (id) ON DELETE CASCADE,
  email varchar(254),
  role text NOT NULL CHECK (role IN ('admin', 'member', 'viewer')),
  invited_by uuid REFERENCES users (id) ON DELETE SET NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT organization_invitations_invited_check CHECK ((user_id IS NULL) <> (email IS NULL))
);
CREATE INDEX organization_invitations_newest_idx
  ON organization_invitations (organization_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX organization_invitations_invited_key
  ON organization_invitations (organization_id, (coalesce(user_id::text, lower(email))));
CREATE INDEX organization_invitations_user_idx ON organization_invitations (user_id);
CREATE INDEX organization_invitations_email_idx ON organization_invitations (lower(email));
CREATE INDEX organization_invitations_inviter_idx ON organization_invitations (invited_by);
CREATE INDEX organization_invitations_expiry_idx ON organization_invitations (expires_at);

CREATE TABLE api_keys (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  name varchar(200) NOT NULL,
  role text NOT NULL CHECK (role IN ('admin', 'member', 'importer', 'viewer')),
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

/** Organizations, their members, and what they scan. */
export const organizations = membership + resources;
