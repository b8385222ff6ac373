CREATE TABLE api_keys (
  id uuid NOT NULL,
  organization_id uuid NOT NULL,
  name character varying(200) NOT NULL,
  role text NOT NULL,
  prefix text NOT NULL,
  key_hash text NOT NULL,
  created_by uuid,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  expires_at timestamp(3) with time zone,
  last_used_at timestamp(3) with time zone,
  revoked_at timestamp(3) with time zone,
  CONSTRAINT api_keys_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  CONSTRAINT api_keys_key_hash_key UNIQUE (key_hash),
  CONSTRAINT api_keys_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  CONSTRAINT api_keys_pkey PRIMARY KEY (id),
  CONSTRAINT api_keys_role_check CHECK ((role = ANY (ARRAY['admin'::text, 'member'::text, 'importer'::text, 'viewer'::text])))
);

CREATE TABLE asset_tags (
  asset_id uuid NOT NULL,
  tag_id uuid NOT NULL,
  CONSTRAINT asset_tags_asset_id_fkey FOREIGN KEY (asset_id) REFERENCES assets(id) ON DELETE CASCADE,
  CONSTRAINT asset_tags_pkey PRIMARY KEY (asset_id, tag_id),
  CONSTRAINT asset_tags_tag_id_fkey FOREIGN KEY (tag_id) REFERENCES tags(id) ON DELETE CASCADE
);

CREATE TABLE assets (
  id uuid NOT NULL,
  organization_id uuid NOT NULL,
  name text NOT NULL,
  type text NOT NULL,
  class text NOT NULL,
  uri text NOT NULL,
  service jsonb,
  frontend jsonb,
  host jsonb,
  repository jsonb,
  schema jsonb,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  source_url text,
  CONSTRAINT assets_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  CONSTRAINT assets_pkey PRIMARY KEY (id)
);

CREATE TABLE audit_entries (
  id uuid NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
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
  CONSTRAINT audit_entries_pkey PRIMARY KEY (log_id, created_at, id)
);

CREATE TABLE backups (
  id uuid NOT NULL,
  begun_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  ended_at timestamp(3) with time zone,
  outcome text NOT NULL,
  name text,
  bytes bigint,
  reason text,
  CONSTRAINT backups_outcome_check CHECK ((outcome = ANY (ARRAY['awaited'::text, 'running'::text, 'interrupted'::text, 'kept'::text, 'failed'::text]))),
  CONSTRAINT backups_pkey PRIMARY KEY (id)
);

CREATE TABLE branches (
  id uuid NOT NULL,
  organization_id uuid NOT NULL,
  asset_id uuid NOT NULL,
  name text NOT NULL,
  pull_request text,
  is_default boolean NOT NULL DEFAULT false,
  default_named boolean NOT NULL DEFAULT false,
  decides boolean NOT NULL DEFAULT false,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  opened_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  last_scanned_at timestamp(3) with time zone,
  closed_at timestamp(3) with time zone,
  CONSTRAINT branches_asset_id_fkey FOREIGN KEY (asset_id) REFERENCES assets(id) ON DELETE CASCADE,
  CONSTRAINT branches_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  CONSTRAINT branches_pkey PRIMARY KEY (id)
);

CREATE TABLE cart_items (
  id integer NOT NULL GENERATED ALWAYS AS IDENTITY,
  cart_id integer NOT NULL,
  product_id integer NOT NULL,
  quantity integer NOT NULL,
  CONSTRAINT cart_items_cart_id_fkey FOREIGN KEY (cart_id) REFERENCES carts(id) ON DELETE CASCADE,
  CONSTRAINT cart_items_cart_id_product_id_key UNIQUE (cart_id, product_id),
  CONSTRAINT cart_items_pkey PRIMARY KEY (id),
  CONSTRAINT cart_items_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id),
  CONSTRAINT cart_items_quantity_check CHECK (((quantity >= 1) AND (quantity <= 999)))
);

CREATE TABLE carts (
  id integer NOT NULL GENERATED ALWAYS AS IDENTITY,
  user_id uuid NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  updated_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT carts_pkey PRIMARY KEY (id),
  CONSTRAINT carts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  CONSTRAINT carts_user_id_key UNIQUE (user_id)
);

CREATE TABLE categories (
  id integer NOT NULL GENERATED ALWAYS AS IDENTITY,
  slug character varying(80) NOT NULL,
  name character varying(100) NOT NULL,
  description text,
  image_url text,
  parent_id integer,
  position integer NOT NULL DEFAULT 0,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT categories_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES categories(id),
  CONSTRAINT categories_pkey PRIMARY KEY (id),
  CONSTRAINT categories_slug_key UNIQUE (slug)
);

CREATE TABLE coupons (
  id integer NOT NULL GENERATED ALWAYS AS IDENTITY,
  code character varying(32) NOT NULL,
  discount_percent numeric(5,2) NOT NULL,
  max_uses integer NOT NULL,
  current_uses integer NOT NULL DEFAULT 0,
  expires_at timestamp(3) with time zone,
  is_active boolean NOT NULL DEFAULT true,
  is_public boolean NOT NULL DEFAULT true,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT coupons_current_uses_check CHECK ((current_uses >= 0)),
  CONSTRAINT coupons_discount_percent_check CHECK (((discount_percent > (0)::numeric) AND (discount_percent <= (100)::numeric))),
  CONSTRAINT coupons_max_uses_check CHECK ((max_uses >= 1)),
  CONSTRAINT coupons_pkey PRIMARY KEY (id)
);

CREATE TABLE epss_scores (
  generation uuid NOT NULL,
  cve text NOT NULL,
  epss double precision NOT NULL,
  percentile double precision NOT NULL,
  CONSTRAINT epss_scores_pkey PRIMARY KEY (generation, cve)
);

CREATE TABLE event_batches (
  organization_id uuid NOT NULL,
  arrived xid8 NOT NULL,
  appended_at timestamp with time zone NOT NULL,
  number bigint,
  CONSTRAINT event_batches_pkey PRIMARY KEY (organization_id, arrived, appended_at)
);

CREATE TABLE event_positions (
  organization_id uuid NOT NULL,
  last bigint NOT NULL DEFAULT 0,
  CONSTRAINT event_positions_pkey PRIMARY KEY (organization_id)
);

CREATE TABLE guess_counters (
  key text NOT NULL,
  failures integer NOT NULL,
  blocked_until timestamp(3) with time zone,
  updated_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT guess_counters_pkey PRIMARY KEY (key)
);

CREATE TABLE idempotency_keys (
  user_id uuid NOT NULL,
  key text NOT NULL,
  request_hash text NOT NULL,
  response json NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT idempotency_keys_pkey PRIMARY KEY (user_id, key),
  CONSTRAINT idempotency_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE TABLE import_keys (
  organization_id uuid NOT NULL,
  key text NOT NULL,
  request_hash text NOT NULL,
  response json NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT import_keys_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  CONSTRAINT import_keys_pkey PRIMARY KEY (organization_id, key)
);

CREATE TABLE import_pages (
  organization_id uuid NOT NULL,
  import_id uuid NOT NULL,
  page integer NOT NULL,
  issues json NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT import_pages_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  CONSTRAINT import_pages_pkey PRIMARY KEY (organization_id, import_id, page)
);

CREATE TABLE integrations (
  id uuid NOT NULL,
  organization_id uuid NOT NULL,
  name character varying(200) NOT NULL,
  kind text NOT NULL,
  valid boolean NOT NULL DEFAULT true,
  parameters_sealed text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  updated_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT integrations_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  CONSTRAINT integrations_pkey PRIMARY KEY (id)
);

CREATE TABLE issue_activities (
  id uuid NOT NULL,
  issue_id uuid NOT NULL,
  kind text NOT NULL,
  from_value text,
  to_value text,
  comment text,
  actor_kind text NOT NULL,
  actor_user_id uuid,
  actor_key_name text,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  organization_id uuid NOT NULL,
  CONSTRAINT issue_activities_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['USER'::text, 'API_KEY'::text, 'SYSTEM'::text]))),
  CONSTRAINT issue_activities_actor_user_id_fkey FOREIGN KEY (actor_user_id) REFERENCES users(id) ON DELETE SET NULL,
  CONSTRAINT issue_activities_kind_check CHECK ((kind = ANY (ARRAY['STATUS'::text, 'SEVERITY'::text, 'COMMENT'::text, 'CONTEXT'::text, 'TARGETS'::text, 'ASSIGNEE'::text, 'DUE_DATE'::text, 'ACCEPTANCE'::text, 'LINK'::text]))),
  CONSTRAINT issue_activities_pkey PRIMARY KEY (id)
);

CREATE TABLE issue_branches (
  issue_id uuid NOT NULL,
  branch_id uuid NOT NULL,
  last_seen_at timestamp(3) with time zone NOT NULL,
  present boolean NOT NULL,
  CONSTRAINT issue_branches_pkey PRIMARY KEY (issue_id, branch_id)
);

CREATE TABLE issue_default_assignees (
  organization_id uuid NOT NULL,
  tag_id uuid NOT NULL,
  user_id uuid NOT NULL,
  position integer NOT NULL,
  CONSTRAINT issue_default_assignees_member_fkey FOREIGN KEY (organization_id, user_id) REFERENCES organization_members(organization_id, user_id) ON DELETE CASCADE,
  CONSTRAINT issue_default_assignees_pkey PRIMARY KEY (organization_id, tag_id),
  CONSTRAINT issue_default_assignees_tag_id_fkey FOREIGN KEY (tag_id) REFERENCES tags(id) ON DELETE CASCADE
);

CREATE TABLE issue_details (
  issue_id uuid NOT NULL,
  rule_digest text,
  detail jsonb NOT NULL,
  CONSTRAINT issue_details_pkey PRIMARY KEY (issue_id)
);

CREATE TABLE issue_identifiers (
  organization_id uuid NOT NULL,
  issue_id uuid NOT NULL,
  value text NOT NULL,
  CONSTRAINT issue_identifiers_pkey PRIMARY KEY (issue_id, value)
);

CREATE TABLE issue_policies (
  organization_id uuid NOT NULL,
  critical_days integer,
  high_days integer,
  medium_days integer,
  low_days integer,
  info_days integer,
  reason_required boolean NOT NULL DEFAULT false,
  updated_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT issue_policies_critical_days_check CHECK (((critical_days >= 0) AND (critical_days <= 3650))),
  CONSTRAINT issue_policies_high_days_check CHECK (((high_days >= 0) AND (high_days <= 3650))),
  CONSTRAINT issue_policies_info_days_check CHECK (((info_days >= 0) AND (info_days <= 3650))),
  CONSTRAINT issue_policies_low_days_check CHECK (((low_days >= 0) AND (low_days <= 3650))),
  CONSTRAINT issue_policies_medium_days_check CHECK (((medium_days >= 0) AND (medium_days <= 3650))),
  CONSTRAINT issue_policies_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  CONSTRAINT issue_policies_pkey PRIMARY KEY (organization_id)
);

CREATE TABLE issue_rules (
  organization_id uuid NOT NULL,
  digest text NOT NULL,
  rule jsonb NOT NULL,
  CONSTRAINT issue_rules_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  CONSTRAINT issue_rules_pkey PRIMARY KEY (organization_id, digest)
);

CREATE TABLE issue_scans (
  issue_id uuid NOT NULL,
  scan_id uuid NOT NULL,
  CONSTRAINT issue_scans_pkey PRIMARY KEY (issue_id, scan_id)
);

CREATE TABLE issue_targets (
  id uuid NOT NULL,
  issue_id uuid NOT NULL,
  target_uid text NOT NULL,
  scan_id uuid,
  detail jsonb NOT NULL,
  CONSTRAINT issue_targets_pkey PRIMARY KEY (id)
);

CREATE TABLE issue_views (
  id uuid NOT NULL,
  organization_id uuid NOT NULL,
  owner_id uuid,
  name character varying(100) NOT NULL,
  shared boolean NOT NULL,
  filter jsonb NOT NULL,
  sort text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  updated_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT issue_views_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  CONSTRAINT issue_views_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE SET NULL,
  CONSTRAINT issue_views_pkey PRIMARY KEY (id)
);

CREATE TABLE issues (
  id uuid NOT NULL,
  organization_id uuid NOT NULL,
  asset_id uuid NOT NULL,
  name text NOT NULL,
  full_name text NOT NULL,
  severity text NOT NULL,
  category text NOT NULL,
  status text NOT NULL,
  context text NOT NULL DEFAULT ''::text,
  alert_uid text NOT NULL,
  security_test_uid text NOT NULL,
  identity text NOT NULL,
  scan_id uuid,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  updated_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  severity_set_by text,
  tool_severity text,
  status_set_by text,
  set_aside text,
  branch_only boolean NOT NULL DEFAULT false,
  assignee_id uuid,
  due_at timestamp(3) with time zone,
  accepted_until timestamp(3) with time zone,
  accepted_reason text,
  accepted_by uuid,
  accepted_by_key text,
  external_url text,
  last_seen_at timestamp(3) with time zone,
  tool text,
  epss double precision,
  kev boolean NOT NULL DEFAULT false,
  CONSTRAINT issues_pkey PRIMARY KEY (id),
  CONSTRAINT issues_set_aside_check CHECK ((set_aside = ANY (ARRAY['IGNORED'::text, 'FALSE_POSITIVE'::text]))),
  CONSTRAINT issues_severity_check CHECK ((severity = ANY (ARRAY['CRITICAL'::text, 'HIGH'::text, 'MEDIUM'::text, 'LOW'::text, 'INFO'::text]))),
  CONSTRAINT issues_severity_set_by_check CHECK ((severity_set_by = ANY (ARRAY['USER'::text, 'API_KEY'::text]))),
  CONSTRAINT issues_status_check CHECK ((status = ANY (ARRAY['OPEN'::text, 'RESOLVED'::text, 'MANUAL_REVIEW'::text, 'IGNORED'::text, 'FALSE_POSITIVE'::text]))),
  CONSTRAINT issues_status_set_by_check CHECK ((status_set_by = ANY (ARRAY['USER'::text, 'API_KEY'::text]))),
  CONSTRAINT issues_tool_severity_check CHECK ((tool_severity = ANY (ARRAY['CRITICAL'::text, 'HIGH'::text, 'MEDIUM'::text, 'LOW'::text, 'INFO'::text])))
);

CREATE TABLE known_devices (
  user_id uuid NOT NULL,
  digest text NOT NULL,
  seen_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT known_devices_pkey PRIMARY KEY (user_id, digest),
  CONSTRAINT known_devices_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE TABLE known_exploited (
  generation uuid NOT NULL,
  cve text NOT NULL,
  added_on date,
  due_on date,
  ransomware boolean NOT NULL,
  CONSTRAINT known_exploited_pkey PRIMARY KEY (generation, cve)
);

CREATE TABLE locations (
  id uuid NOT NULL,
  organization_id uuid NOT NULL,
  name character varying(200) NOT NULL,
  type text NOT NULL,
  target text NOT NULL,
  ip text,
  region text,
  enabled boolean NOT NULL DEFAULT true,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT locations_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  CONSTRAINT locations_pkey PRIMARY KEY (id),
  CONSTRAINT locations_type_check CHECK ((type = ANY (ARRAY['PLATFORM'::text, 'PRIVATE'::text])))
);

CREATE TABLE login_challenges (
  token_hash text NOT NULL,
  user_id uuid NOT NULL,
  token_version integer NOT NULL,
  wrong_codes integer NOT NULL DEFAULT 0,
  expires_at timestamp(3) with time zone NOT NULL,
  voucher jsonb,
  CONSTRAINT login_challenges_pkey PRIMARY KEY (token_hash),
  CONSTRAINT login_challenges_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE TABLE mail_tokens (
  token_hash text NOT NULL,
  user_id uuid NOT NULL,
  purpose text NOT NULL,
  email character varying(254) NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT mail_tokens_pkey PRIMARY KEY (token_hash),
  CONSTRAINT mail_tokens_purpose_check CHECK ((purpose = ANY (ARRAY['confirm'::text, 'reset'::text, 'undo'::text])))
);

CREATE TABLE nodes (
  id uuid NOT NULL,
  host text NOT NULL,
  pid integer NOT NULL,
  version text NOT NULL,
  started_at timestamp(3) with time zone NOT NULL,
  seen_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  slow_statements jsonb NOT NULL,
  CONSTRAINT nodes_pkey PRIMARY KEY (id)
);

CREATE TABLE noted_requests (
  id uuid NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  request_id text NOT NULL,
  method text NOT NULL,
  url text NOT NULL,
  route text NOT NULL,
  status smallint NOT NULL,
  milliseconds integer NOT NULL,
  code text,
  refusal text,
  failure text,
  user_id uuid,
  key_id uuid,
  organization_id uuid,
  address text,
  trace_id text,
  CONSTRAINT noted_requests_pkey PRIMARY KEY (id)
);

CREATE TABLE oidc_identities (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  issuer character varying(500) NOT NULL,
  subject character varying(255) NOT NULL,
  name character varying(255),
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  last_used_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT oidc_identities_pkey PRIMARY KEY (id),
  CONSTRAINT oidc_identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE TABLE oidc_logins (
  token_hash text NOT NULL,
  purpose text NOT NULL,
  user_id uuid,
  device_code text,
  poll_seconds integer,
  next_poll_at timestamp(3) with time zone,
  expires_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT oidc_logins_pkey PRIMARY KEY (token_hash),
  CONSTRAINT oidc_logins_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE TABLE oidc_logout_tokens (
  digest text NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT oidc_logout_tokens_pkey PRIMARY KEY (digest)
);

CREATE TABLE oidc_sessions (
  session_id uuid NOT NULL,
  identity_id uuid NOT NULL,
  sid character varying(255),
  CONSTRAINT oidc_sessions_identity_id_fkey FOREIGN KEY (identity_id) REFERENCES oidc_identities(id) ON DELETE CASCADE,
  CONSTRAINT oidc_sessions_pkey PRIMARY KEY (session_id),
  CONSTRAINT oidc_sessions_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE
);

CREATE TABLE order_items (
  id integer NOT NULL GENERATED ALWAYS AS IDENTITY,
  order_id integer NOT NULL,
  product_id integer NOT NULL,
  quantity integer NOT NULL,
  price numeric(12,2) NOT NULL,
  product_name text NOT NULL,
  product_image_url text,
  restocked integer NOT NULL DEFAULT 0,
  CONSTRAINT order_items_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id) ON DELETE CASCADE,
  CONSTRAINT order_items_order_id_product_id_key UNIQUE (order_id, product_id),
  CONSTRAINT order_items_pkey PRIMARY KEY (id),
  CONSTRAINT order_items_price_check CHECK ((price >= (0)::numeric)),
  CONSTRAINT order_items_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id),
  CONSTRAINT order_items_quantity_check CHECK ((quantity >= 1)),
  CONSTRAINT order_items_restocked_check CHECK (((restocked >= 0) AND (restocked <= quantity)))
);

CREATE TABLE order_notes (
  id uuid NOT NULL,
  order_id integer NOT NULL,
  user_id uuid,
  key_name character varying(100),
  text character varying(2000) NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT order_notes_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id) ON DELETE CASCADE,
  CONSTRAINT order_notes_pkey PRIMARY KEY (id),
  CONSTRAINT order_notes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL
);

CREATE TABLE order_search (
  order_id integer NOT NULL,
  words tsvector NOT NULL,
  CONSTRAINT order_search_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id) ON DELETE CASCADE,
  CONSTRAINT order_search_pkey PRIMARY KEY (order_id)
);

CREATE TABLE orders (
  id integer NOT NULL GENERATED ALWAYS AS IDENTITY,
  user_id uuid NOT NULL,
  status text NOT NULL DEFAULT 'pending'::text,
  total_price numeric(16,2) NOT NULL,
  discount numeric(16,2) NOT NULL DEFAULT 0,
  coupon_id integer,
  shipping_first_name text,
  shipping_last_name text,
  shipping_address text,
  shipping_city text,
  shipping_zip text,
  shipping_country text,
  shipping_phone text,
  shipping_method text,
  shipping_cost numeric(7,2),
  estimated_delivery timestamp(3) with time zone,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  coupon_code text,
  reached text NOT NULL DEFAULT 'pending'::text,
  paid_total numeric(16,2) NOT NULL DEFAULT 0,
  refunded_total numeric(16,2) NOT NULL DEFAULT 0,
  payment_problem text,
  carrier character varying(100),
  tracking_number character varying(200),
  tracking_url character varying(2048),
  CONSTRAINT orders_coupon_id_fkey FOREIGN KEY (coupon_id) REFERENCES coupons(id) ON DELETE SET NULL,
  CONSTRAINT orders_discount_check CHECK ((discount >= (0)::numeric)),
  CONSTRAINT orders_paid_total_check CHECK ((paid_total >= (0)::numeric)),
  CONSTRAINT orders_pkey PRIMARY KEY (id),
  CONSTRAINT orders_reached_check CHECK ((reached = ANY (ARRAY['pending'::text, 'paid'::text, 'processing'::text, 'shipped'::text, 'delivered'::text, 'completed'::text]))),
  CONSTRAINT orders_refunded_check CHECK ((refunded_total <= paid_total)),
  CONSTRAINT orders_refunded_total_check CHECK ((refunded_total >= (0)::numeric)),
  CONSTRAINT orders_status_check CHECK (((char_length(status) >= 1) AND (char_length(status) <= 50))),
  CONSTRAINT orders_total_price_check CHECK ((total_price >= (0)::numeric)),
  CONSTRAINT orders_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

CREATE TABLE organization_invitations (
  id uuid NOT NULL,
  organization_id uuid NOT NULL,
  user_id uuid,
  email character varying(254),
  role text NOT NULL,
  invited_by uuid,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  expires_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT organization_invitations_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES users(id) ON DELETE SET NULL,
  CONSTRAINT organization_invitations_invited_check CHECK (((user_id IS NULL) <> (email IS NULL))),
  CONSTRAINT organization_invitations_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  CONSTRAINT organization_invitations_pkey PRIMARY KEY (id),
  CONSTRAINT organization_invitations_role_check CHECK ((role = ANY (ARRAY['admin'::text, 'member'::text, 'viewer'::text]))),
  CONSTRAINT organization_invitations_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE TABLE organization_members (
  organization_id uuid NOT NULL,
  user_id uuid NOT NULL,
  role text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT organization_members_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  CONSTRAINT organization_members_pkey PRIMARY KEY (organization_id, user_id),
  CONSTRAINT organization_members_role_check CHECK ((role = ANY (ARRAY['admin'::text, 'member'::text, 'viewer'::text]))),
  CONSTRAINT organization_members_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE TABLE organizations (
  id uuid NOT NULL,
  name character varying(200) NOT NULL,
  scoped_webhook_export_payload boolean NOT NULL DEFAULT false,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  created_by uuid,
  CONSTRAINT organizations_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  CONSTRAINT organizations_pkey PRIMARY KEY (id)
);

CREATE TABLE payment_sessions (
  id uuid NOT NULL,
  order_id integer NOT NULL,
  provider text NOT NULL,
  reference text,
  url text,
  amount numeric(16,2) NOT NULL,
  currency character(3) NOT NULL,
  return_url character varying(2048),
  status text NOT NULL DEFAULT 'open'::text,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  ask_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  expires_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT payment_sessions_amount_check CHECK ((amount > (0)::numeric)),
  CONSTRAINT payment_sessions_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id) ON DELETE CASCADE,
  CONSTRAINT payment_sessions_pkey PRIMARY KEY (id),
  CONSTRAINT payment_sessions_status_check CHECK ((status = ANY (ARRAY['open'::text, 'paid'::text, 'failed'::text, 'expired'::text])))
);

CREATE TABLE payments (
  id uuid NOT NULL,
  order_id integer NOT NULL,
  provider text NOT NULL,
  reference character varying(255),
  method character varying(100),
  amount numeric(16,2) NOT NULL,
  currency character(3) NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT payments_amount_check CHECK ((amount > (0)::numeric)),
  CONSTRAINT payments_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id) ON DELETE CASCADE,
  CONSTRAINT payments_pkey PRIMARY KEY (id)
);

CREATE TABLE product_categories (
  product_id integer NOT NULL,
  category_id integer NOT NULL,
  CONSTRAINT product_categories_category_id_fkey FOREIGN KEY (category_id) REFERENCES categories(id) ON DELETE CASCADE,
  CONSTRAINT product_categories_pkey PRIMARY KEY (product_id, category_id),
  CONSTRAINT product_categories_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id) ON DELETE CASCADE
);

CREATE TABLE product_images (
  product_id integer NOT NULL,
  position integer NOT NULL,
  url text NOT NULL,
  alt character varying(300),
  CONSTRAINT product_images_pkey PRIMARY KEY (product_id, "position"),
  CONSTRAINT product_images_position_check CHECK (("position" >= 0)),
  CONSTRAINT product_images_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id) ON DELETE CASCADE
);

CREATE TABLE product_listings (
  product_id integer NOT NULL,
  group_id uuid,
  name text NOT NULL,
  price numeric(12,2) NOT NULL,
  rating smallint NOT NULL,
  keys text[] NOT NULL,
  CONSTRAINT product_listings_pkey PRIMARY KEY (product_id),
  CONSTRAINT product_listings_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id) ON DELETE CASCADE
);

CREATE TABLE product_search (
  product_id integer NOT NULL,
  name_key text NOT NULL,
  text_key text NOT NULL,
  is_public boolean NOT NULL DEFAULT true,
  CONSTRAINT product_search_pkey PRIMARY KEY (product_id),
  CONSTRAINT product_search_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id) ON DELETE CASCADE
);

CREATE TABLE product_slugs (
  slug character varying(120) NOT NULL,
  product_id integer NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT product_slugs_pkey PRIMARY KEY (slug),
  CONSTRAINT product_slugs_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
);

CREATE TABLE product_words (
  word text NOT NULL,
  CONSTRAINT product_words_pkey PRIMARY KEY (word)
);

CREATE TABLE products (
  id integer NOT NULL GENERATED ALWAYS AS IDENTITY,
  name character varying(200) NOT NULL,
  description text,
  price numeric(12,2) NOT NULL,
  stock integer NOT NULL,
  color text,
  material text,
  size text,
  image_url text,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  deleted_at timestamp(3) with time zone,
  group_id uuid,
  slug text,
  sku character varying(64),
  status text NOT NULL DEFAULT 'published'::text,
  review_count integer NOT NULL DEFAULT 0,
  rating_sum integer NOT NULL DEFAULT 0,
  CONSTRAINT products_pkey PRIMARY KEY (id),
  CONSTRAINT products_price_check CHECK ((price >= (0)::numeric)),
  CONSTRAINT products_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'published'::text]))),
  CONSTRAINT products_stock_check CHECK ((stock >= 0))
);

CREATE TABLE profiles (
  id uuid NOT NULL,
  organization_id uuid NOT NULL,
  name character varying(200) NOT NULL,
  scanner_kind text NOT NULL,
  type text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  updated_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT profiles_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  CONSTRAINT profiles_pkey PRIMARY KEY (id)
);

CREATE TABLE rate_counters (
  key text NOT NULL,
  used bigint NOT NULL,
  window_ends_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT rate_counters_pkey PRIMARY KEY (key)
);

CREATE TABLE recovery_codes (
  user_id uuid NOT NULL,
  code_hash text NOT NULL,
  used_at timestamp(3) with time zone,
  CONSTRAINT recovery_codes_pkey PRIMARY KEY (user_id, code_hash),
  CONSTRAINT recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE TABLE refund_lines (
  refund_id uuid NOT NULL,
  item_id integer NOT NULL,
  quantity integer NOT NULL,
  CONSTRAINT refund_lines_item_id_fkey FOREIGN KEY (item_id) REFERENCES order_items(id) ON DELETE CASCADE,
  CONSTRAINT refund_lines_pkey PRIMARY KEY (refund_id, item_id),
  CONSTRAINT refund_lines_quantity_check CHECK ((quantity >= 1)),
  CONSTRAINT refund_lines_refund_id_fkey FOREIGN KEY (refund_id) REFERENCES refunds(id) ON DELETE CASCADE
);

CREATE TABLE refunds (
  id uuid NOT NULL,
  order_id integer NOT NULL,
  payment_id uuid NOT NULL,
  amount numeric(16,2) NOT NULL,
  reason character varying(500),
  restock boolean NOT NULL,
  by_hand boolean NOT NULL DEFAULT false,
  status text NOT NULL DEFAULT 'pending'::text,
  reference character varying(255),
  failure character varying(500),
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  ask_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT refunds_amount_check CHECK ((amount > (0)::numeric)),
  CONSTRAINT refunds_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id) ON DELETE CASCADE,
  CONSTRAINT refunds_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payments(id) ON DELETE CASCADE,
  CONSTRAINT refunds_pkey PRIMARY KEY (id),
  CONSTRAINT refunds_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'done'::text, 'failed'::text])))
);

CREATE TABLE reviews (
  id integer NOT NULL GENERATED ALWAYS AS IDENTITY,
  product_id integer NOT NULL,
  user_id uuid NOT NULL,
  rating integer NOT NULL,
  title text,
  content text,
  image_url text,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  answer text,
  answered_at timestamp(3) with time zone,
  CONSTRAINT reviews_pkey PRIMARY KEY (id),
  CONSTRAINT reviews_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id),
  CONSTRAINT reviews_product_id_user_id_key UNIQUE (product_id, user_id),
  CONSTRAINT reviews_rating_check CHECK (((rating >= 1) AND (rating <= 5))),
  CONSTRAINT reviews_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE TABLE scan_assets (
  scan_id uuid NOT NULL,
  asset_id uuid NOT NULL,
  CONSTRAINT scan_assets_asset_id_fkey FOREIGN KEY (asset_id) REFERENCES assets(id),
  CONSTRAINT scan_assets_pkey PRIMARY KEY (scan_id, asset_id),
  CONSTRAINT scan_assets_scan_id_fkey FOREIGN KEY (scan_id) REFERENCES scans(id) ON DELETE CASCADE
);

CREATE TABLE scan_event_counts (
  organization_id uuid NOT NULL,
  hour timestamp(3) with time zone NOT NULL,
  level text NOT NULL,
  backend integer NOT NULL,
  count bigint NOT NULL,
  CONSTRAINT scan_event_counts_pkey PRIMARY KEY (organization_id, hour, level, backend)
);

CREATE TABLE scan_events (
  id uuid NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
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
  appended_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT scan_events_pkey PRIMARY KEY (organization_id, created_at, id)
);

CREATE TABLE scan_reports (
  scan_id uuid NOT NULL,
  organization_id uuid NOT NULL,
  scope text NOT NULL,
  tool text NOT NULL,
  category text NOT NULL,
  branch text NOT NULL,
  commit_id text NOT NULL,
  is_whole boolean NOT NULL,
  committed_at timestamp(3) with time zone,
  CONSTRAINT scan_reports_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  CONSTRAINT scan_reports_pkey PRIMARY KEY (scan_id),
  CONSTRAINT scan_reports_scan_id_fkey FOREIGN KEY (scan_id) REFERENCES scans(id) ON DELETE CASCADE
);

CREATE TABLE scans (
  id uuid NOT NULL,
  organization_id uuid NOT NULL,
  application_id uuid NOT NULL,
  kind text NOT NULL,
  status text NOT NULL,
  location_id uuid,
  progress_ratio double precision NOT NULL DEFAULT 0,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  updated_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  finished_at timestamp(3) with time zone,
  changed_in bigint,
  changed_at timestamp with time zone,
  branch text,
  commit_id text,
  pull_request text,
  tool text,
  tool_version text,
  failure_reason text,
  branch_only boolean NOT NULL DEFAULT false,
  CONSTRAINT scans_application_id_fkey FOREIGN KEY (application_id) REFERENCES profiles(id),
  CONSTRAINT scans_location_id_fkey FOREIGN KEY (location_id) REFERENCES locations(id) ON DELETE SET NULL,
  CONSTRAINT scans_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  CONSTRAINT scans_pkey PRIMARY KEY (id),
  CONSTRAINT scans_progress_ratio_check CHECK (((progress_ratio >= (0)::double precision) AND (progress_ratio <= (1)::double precision))),
  CONSTRAINT scans_status_check CHECK ((status = ANY (ARRAY['STARTING'::text, 'RUNNING'::text, 'FINISHED'::text, 'FAILED'::text, 'CANCELED'::text])))
);

CREATE TABLE service_state (
  key text NOT NULL,
  value jsonb NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT service_state_pkey PRIMARY KEY (key)
);

CREATE TABLE sessions (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  token_version integer NOT NULL,
  token_hash text NOT NULL,
  previous_hash text,
  successor text,
  rotated_at timestamp(3) with time zone,
  device text NOT NULL,
  address text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  last_used_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  expires_at timestamp(3) with time zone NOT NULL,
  latest_end timestamp(3) with time zone NOT NULL,
  ended_at timestamp(3) with time zone,
  authenticated_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  multi_factor boolean NOT NULL DEFAULT false,
  CONSTRAINT sessions_pkey PRIMARY KEY (id),
  CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE TABLE shipping_methods (
  code character varying(50) NOT NULL,
  name character varying(100) NOT NULL,
  cost numeric(12,2) NOT NULL,
  days integer NOT NULL,
  free_from numeric(12,2),
  position integer NOT NULL,
  CONSTRAINT shipping_methods_code_check CHECK (((code)::text ~ '^[a-z0-9_-]+$'::text)),
  CONSTRAINT shipping_methods_cost_check CHECK (((cost >= (0)::numeric) AND (cost <= (10000)::numeric))),
  CONSTRAINT shipping_methods_days_check CHECK (((days >= 0) AND (days <= 365))),
  CONSTRAINT shipping_methods_free_from_check CHECK ((free_from >= (0)::numeric)),
  CONSTRAINT shipping_methods_pkey PRIMARY KEY (code)
);

CREATE TABLE shop_keys (
  id uuid NOT NULL,
  name character varying(200) NOT NULL,
  scopes text[] NOT NULL,
  prefix text NOT NULL,
  key_hash text NOT NULL,
  created_by uuid,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  expires_at timestamp(3) with time zone,
  last_used_at timestamp(3) with time zone,
  revoked_at timestamp(3) with time zone,
  CONSTRAINT shop_keys_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  CONSTRAINT shop_keys_key_hash_key UNIQUE (key_hash),
  CONSTRAINT shop_keys_pkey PRIMARY KEY (id),
  CONSTRAINT shop_keys_scopes_check CHECK ((cardinality(scopes) > 0))
);

CREATE TABLE shop_settings (
  id boolean NOT NULL DEFAULT true,
  name character varying(100),
  currency character(3),
  locale character varying(35),
  contact_email character varying(254),
  address character varying(1000),
  logo_url character varying(2048),
  payment_instructions character varying(2000),
  updated_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT shop_settings_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  CONSTRAINT shop_settings_id_check CHECK (id),
  CONSTRAINT shop_settings_pkey PRIMARY KEY (id)
);

CREATE TABLE shop_views (
  id uuid NOT NULL,
  owner_id uuid,
  list text NOT NULL,
  name character varying(100) NOT NULL,
  shared boolean NOT NULL,
  query character varying(2000) NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT shop_views_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE SET NULL,
  CONSTRAINT shop_views_pkey PRIMARY KEY (id)
);

CREATE TABLE store_events (
  id uuid NOT NULL,
  written bigint NOT NULL DEFAULT nextval('store_events_written_seq'::regclass),
  seq bigint,
  type text NOT NULL,
  user_id uuid,
  data jsonb NOT NULL,
  customer jsonb,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT store_events_pkey PRIMARY KEY (id)
);

CREATE TABLE store_webhooks (
  id uuid NOT NULL,
  events text[] NOT NULL,
  customer_data boolean NOT NULL,
  enabled boolean NOT NULL,
  disabled_reason text,
  failing_since timestamp(3) with time zone,
  parameters_sealed text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  updated_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT store_webhooks_pkey PRIMARY KEY (id)
);

CREATE TABLE tags (
  id uuid NOT NULL,
  organization_id uuid NOT NULL,
  name character varying(100) NOT NULL,
  color character varying(32),
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT tags_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  CONSTRAINT tags_pkey PRIMARY KEY (id)
);

CREATE TABLE testimonials (
  id integer NOT NULL GENERATED ALWAYS AS IDENTITY,
  user_id uuid,
  guest_name text,
  guest_role text,
  guest_avatar_url text,
  content text NOT NULL,
  rating integer NOT NULL,
  is_featured boolean NOT NULL DEFAULT false,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  answer text,
  answered_at timestamp(3) with time zone,
  CONSTRAINT testimonials_check CHECK (((user_id IS NOT NULL) OR (guest_name IS NOT NULL))),
  CONSTRAINT testimonials_pkey PRIMARY KEY (id),
  CONSTRAINT testimonials_rating_check CHECK (((rating >= 1) AND (rating <= 5))),
  CONSTRAINT testimonials_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE TABLE threat_feeds (
  kind text NOT NULL,
  generation uuid,
  published_at timestamp with time zone,
  read_at timestamp with time zone,
  entries integer NOT NULL DEFAULT 0,
  fault text,
  CONSTRAINT threat_feeds_pkey PRIMARY KEY (kind)
);

CREATE TABLE unindexed_orders (
  order_id integer NOT NULL,
  CONSTRAINT unindexed_orders_pkey PRIMARY KEY (order_id)
);

CREATE TABLE uploads (
  filename text NOT NULL,
  kind text NOT NULL,
  user_id uuid,
  size integer NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  unused_since timestamp(3) with time zone,
  CONSTRAINT uploads_kind_check CHECK ((kind = ANY (ARRAY['product'::text, 'avatar'::text, 'general'::text]))),
  CONSTRAINT uploads_pkey PRIMARY KEY (filename),
  CONSTRAINT uploads_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL
);

CREATE TABLE user_addresses (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  first_name character varying(100) NOT NULL,
  last_name character varying(100) NOT NULL,
  address character varying(300) NOT NULL,
  city character varying(100) NOT NULL,
  zip_code character varying(20) NOT NULL,
  country character varying(100) NOT NULL,
  phone character varying(50),
  is_default boolean NOT NULL DEFAULT false,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT user_addresses_pkey PRIMARY KEY (id),
  CONSTRAINT user_addresses_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE TABLE users (
  id uuid NOT NULL,
  username character varying(50),
  email character varying(254),
  password_hash text NOT NULL,
  first_name character varying(100),
  last_name character varying(100),
  avatar_url text,
  bio character varying(2000),
  role text NOT NULL DEFAULT 'user'::text,
  account_credit numeric(12,2) NOT NULL DEFAULT 0,
  referral_count integer NOT NULL DEFAULT 0,
  can_be_deleted boolean NOT NULL DEFAULT true,
  token_version integer NOT NULL DEFAULT 0,
  totp_enabled boolean NOT NULL DEFAULT false,
  totp_secret text,
  totp_last_step bigint NOT NULL DEFAULT 0,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  deleted_at timestamp(3) with time zone,
  email_verified boolean NOT NULL DEFAULT false,
  former_email character varying(254),
  suspended_at timestamp(3) with time zone,
  role_source text NOT NULL DEFAULT 'default'::text,
  CONSTRAINT users_check CHECK (((deleted_at IS NOT NULL) OR ((username IS NOT NULL) AND (email IS NOT NULL)))),
  CONSTRAINT users_check1 CHECK (((NOT totp_enabled) OR (totp_secret IS NOT NULL))),
  CONSTRAINT users_pkey PRIMARY KEY (id),
  CONSTRAINT users_role_check CHECK ((role = ANY (ARRAY['user'::text, 'admin'::text]))),
  CONSTRAINT users_role_source_check CHECK ((role_source = ANY (ARRAY['default'::text, 'hand'::text, 'groups'::text])))
);

CREATE TABLE webhook_attempts (
  delivery_id uuid NOT NULL,
  number integer NOT NULL,
  started_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  duration_ms integer,
  status_code integer,
  error text,
  response text,
  CONSTRAINT webhook_attempts_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES webhook_deliveries(id) ON DELETE CASCADE,
  CONSTRAINT webhook_attempts_pkey PRIMARY KEY (delivery_id, number)
);

CREATE TABLE webhook_deliveries (
  id uuid NOT NULL,
  organization_id uuid,
  workflow_id uuid,
  action_id uuid,
  run_id uuid,
  url_sealed text NOT NULL,
  resources text[],
  payload_bytes bigint NOT NULL,
  status text NOT NULL,
  turn integer NOT NULL DEFAULT 0,
  series_failures integer NOT NULL DEFAULT 0,
  claimed_by text,
  next_attempt_at timestamp(3) with time zone,
  finished_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  webhook_id uuid,
  event_id uuid,
  body_sealed text,
  part integer,
  parts integer,
  part_ranges jsonb,
  CONSTRAINT webhook_deliveries_action_id_fkey FOREIGN KEY (action_id) REFERENCES workflow_actions(id) ON DELETE SET NULL,
  CONSTRAINT webhook_deliveries_event_id_fkey FOREIGN KEY (event_id) REFERENCES store_events(id) ON DELETE CASCADE,
  CONSTRAINT webhook_deliveries_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (id),
  CONSTRAINT webhook_deliveries_run_id_fkey FOREIGN KEY (run_id) REFERENCES workflow_runs(id) ON DELETE CASCADE,
  CONSTRAINT webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'DELIVERED'::text, 'RETRYING'::text, 'EXHAUSTED'::text, 'CANCELED'::text]))),
  CONSTRAINT webhook_deliveries_user_check CHECK ((((num_nulls(organization_id, run_id) = 0) AND (num_nonnulls(webhook_id, event_id) = 0)) OR ((num_nulls(webhook_id, event_id) = 0) AND (num_nonnulls(organization_id, run_id) = 0)))),
  CONSTRAINT webhook_deliveries_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES store_webhooks(id) ON DELETE CASCADE,
  CONSTRAINT webhook_deliveries_workflow_id_fkey FOREIGN KEY (workflow_id) REFERENCES workflows(id) ON DELETE SET NULL
);

CREATE TABLE workflow_actions (
  id uuid NOT NULL,
  workflow_id uuid NOT NULL,
  position integer NOT NULL,
  enabled boolean NOT NULL DEFAULT true,
  disabled_reason text,
  failing_since timestamp(3) with time zone,
  resources text[],
  parameters_sealed text NOT NULL,
  type text NOT NULL DEFAULT 'EXPORT'::text,
  kind text NOT NULL DEFAULT 'WEBHOOK'::text,
  digest text,
  in_parts boolean NOT NULL DEFAULT false,
  CONSTRAINT workflow_actions_pkey PRIMARY KEY (id),
  CONSTRAINT workflow_actions_workflow_id_fkey FOREIGN KEY (workflow_id) REFERENCES workflows(id) ON DELETE CASCADE
);

CREATE TABLE workflow_gatherings (
  action_id uuid NOT NULL,
  run_id uuid NOT NULL,
  trigger_type text NOT NULL,
  subjects jsonb NOT NULL,
  due_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT workflow_gatherings_action_id_fkey FOREIGN KEY (action_id) REFERENCES workflow_actions(id) ON DELETE CASCADE,
  CONSTRAINT workflow_gatherings_pkey PRIMARY KEY (action_id, run_id)
);

CREATE TABLE workflow_run_payloads (
  run_id uuid NOT NULL,
  root text NOT NULL,
  number integer NOT NULL,
  sealed bytea NOT NULL,
  organization_id uuid NOT NULL,
  CONSTRAINT workflow_run_payloads_pkey PRIMARY KEY (run_id, root, number),
  CONSTRAINT workflow_run_payloads_run_id_fkey FOREIGN KEY (run_id) REFERENCES workflow_runs(id) ON DELETE CASCADE
);

CREATE TABLE workflow_runs (
  id uuid NOT NULL,
  organization_id uuid NOT NULL,
  workflow_id uuid,
  trigger_type text NOT NULL,
  subjects jsonb NOT NULL DEFAULT '[]'::jsonb,
  status text NOT NULL,
  reason text,
  runs_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  shape text,
  root_bytes jsonb,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  digest_action_id uuid,
  seen_until timestamp(3) with time zone,
  CONSTRAINT workflow_runs_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  CONSTRAINT workflow_runs_pkey PRIMARY KEY (id),
  CONSTRAINT workflow_runs_shape_check CHECK ((shape = ANY (ARRAY['default'::text, 'scoped'::text]))),
  CONSTRAINT workflow_runs_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'SENT'::text, 'SKIPPED'::text, 'FAILED'::text, 'CANCELED'::text]))),
  CONSTRAINT workflow_runs_workflow_id_fkey FOREIGN KEY (workflow_id) REFERENCES workflows(id) ON DELETE SET NULL
);

CREATE TABLE workflow_triggers (
  id uuid NOT NULL,
  organization_id uuid NOT NULL,
  type text NOT NULL,
  subjects jsonb NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT workflow_triggers_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  CONSTRAINT workflow_triggers_pkey PRIMARY KEY (id)
);

CREATE TABLE workflow_troubles (
  id uuid NOT NULL,
  workflow_id uuid NOT NULL,
  reason text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT workflow_troubles_pkey PRIMARY KEY (id),
  CONSTRAINT workflow_troubles_workflow_id_fkey FOREIGN KEY (workflow_id) REFERENCES workflows(id) ON DELETE CASCADE
);

CREATE TABLE workflows (
  id uuid NOT NULL,
  organization_id uuid NOT NULL,
  name character varying(200) NOT NULL,
  enabled boolean NOT NULL DEFAULT true,
  trigger_type text NOT NULL,
  cron text,
  time_zone text NOT NULL DEFAULT 'UTC'::text,
  conditions jsonb NOT NULL DEFAULT '{}'::jsonb,
  throttle_ms integer NOT NULL DEFAULT 0,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  updated_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  scheduled_for timestamp(3) with time zone,
  CONSTRAINT workflows_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  CONSTRAINT workflows_pkey PRIMARY KEY (id)
);

CREATE INDEX api_keys_maker_idx ON api_keys USING btree (created_by);
CREATE INDEX api_keys_newest_idx ON api_keys USING btree (organization_id, created_at DESC, id DESC);
CREATE INDEX asset_tags_tag_idx ON asset_tags USING btree (tag_id);
CREATE INDEX assets_class_idx ON assets USING btree (organization_id, class, created_at DESC, id DESC);
CREATE INDEX assets_newest_idx ON assets USING btree (organization_id, created_at DESC, id DESC);
CREATE INDEX assets_text_idx ON assets USING gin (name gin_trgm_ops, uri gin_trgm_ops);
CREATE INDEX assets_type_idx ON assets USING btree (organization_id, type, created_at DESC, id DESC);
CREATE UNIQUE INDEX assets_uri_key ON assets USING btree (organization_id, md5(uri));
CREATE INDEX audit_entries_action_idx ON ONLY audit_entries USING btree (log_id, action, created_at, id);
CREATE INDEX audit_entries_actor_idx ON ONLY audit_entries USING btree (log_id, actor_id, created_at, id);
CREATE INDEX audit_entries_subject_idx ON ONLY audit_entries USING btree (log_id, subject_id, created_at, id);
CREATE INDEX audit_entries_subject_type_idx ON ONLY audit_entries USING btree (log_id, subject_type, created_at, id);
CREATE INDEX backups_newest_idx ON backups USING btree (begun_at DESC);
CREATE INDEX branches_closed_idx ON branches USING btree (closed_at) WHERE (closed_at IS NOT NULL);
CREATE UNIQUE INDEX branches_default_key ON branches USING btree (asset_id) WHERE is_default;
CREATE UNIQUE INDEX branches_name_key ON branches USING btree (asset_id, name);
CREATE INDEX branches_newest_idx ON branches USING btree (organization_id, created_at DESC, id DESC);
CREATE INDEX branches_of_name_idx ON branches USING btree (organization_id, name);
CREATE INDEX branches_silent_idx ON branches USING btree (last_scanned_at) WHERE ((closed_at IS NULL) AND (NOT decides));
CREATE INDEX cart_items_product_idx ON cart_items USING btree (product_id);
CREATE INDEX categories_parent_idx ON categories USING btree (parent_id);
CREATE INDEX categories_picture_idx ON categories USING btree ("substring"(image_url, '/uploads/[a-z]+/([^/?#]+)'::text)) WHERE (image_url ~~ '%/uploads/%'::text);
CREATE UNIQUE INDEX coupons_code_key ON coupons USING btree (upper((code)::text));
CREATE INDEX coupons_newest_idx ON coupons USING btree (created_at DESC, id DESC);
CREATE INDEX coupons_public_idx ON coupons USING btree (created_at DESC, id DESC) WHERE (is_active AND is_public);
CREATE INDEX event_batches_new_idx ON event_batches USING btree (organization_id, appended_at, arrived) WHERE (number IS NULL);
CREATE UNIQUE INDEX event_batches_number_idx ON event_batches USING btree (organization_id, number) WHERE (number IS NOT NULL);
CREATE INDEX guess_counters_updated_idx ON guess_counters USING btree (updated_at);
CREATE INDEX idempotency_keys_age_idx ON idempotency_keys USING btree (created_at);
CREATE INDEX import_keys_age_idx ON import_keys USING btree (created_at);
CREATE INDEX import_pages_age_idx ON import_pages USING btree (created_at);
CREATE INDEX integrations_newest_idx ON integrations USING btree (organization_id, created_at DESC, id DESC);
CREATE INDEX issue_activities_actor_idx ON issue_activities USING btree (actor_user_id);
CREATE INDEX issue_activities_changes_idx ON issue_activities USING btree (organization_id, created_at) WHERE (kind = ANY (ARRAY['STATUS'::text, 'SEVERITY'::text]));
CREATE INDEX issue_activities_newest_idx ON issue_activities USING btree (issue_id, created_at DESC, id DESC);
CREATE INDEX issue_branches_branch_idx ON issue_branches USING btree (branch_id, issue_id);
CREATE INDEX issue_default_assignees_member_idx ON issue_default_assignees USING btree (organization_id, user_id);
CREATE INDEX issue_default_assignees_tag_idx ON issue_default_assignees USING btree (tag_id);
CREATE INDEX issue_identifiers_value_idx ON issue_identifiers USING btree (organization_id, value, issue_id);
CREATE INDEX issue_scans_of_scan_idx ON issue_scans USING btree (scan_id, issue_id);
CREATE INDEX issue_targets_scan_idx ON issue_targets USING btree (scan_id);
CREATE UNIQUE INDEX issue_targets_uid_key ON issue_targets USING btree (issue_id, md5(target_uid));
CREATE INDEX issue_views_newest_idx ON issue_views USING btree (organization_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX issue_views_own_name_key ON issue_views USING btree (organization_id, owner_id, lower((name)::text)) WHERE (NOT shared);
CREATE INDEX issue_views_owner_idx ON issue_views USING btree (owner_id);
CREATE UNIQUE INDEX issue_views_shared_name_key ON issue_views USING btree (organization_id, lower((name)::text)) WHERE shared;
CREATE INDEX issues_accepted_by_idx ON issues USING btree (accepted_by) WHERE (accepted_by IS NOT NULL);
CREATE INDEX issues_accepted_until_idx ON issues USING btree (accepted_until) WHERE (accepted_until IS NOT NULL);
CREATE INDEX issues_asset_idx ON issues USING btree (asset_id, created_at DESC, id DESC);
CREATE INDEX issues_assignee_idx ON issues USING btree (assignee_id, organization_id, created_at DESC, id DESC) WHERE (assignee_id IS NOT NULL);
CREATE INDEX issues_counts_idx ON issues USING btree (organization_id, severity, status, category);
CREATE INDEX issues_due_idx ON issues USING btree (organization_id, COALESCE(due_at, 'infinity'::timestamp with time zone), id);
CREATE INDEX issues_epss_order_idx ON issues USING btree (organization_id, COALESCE(epss, (0)::double precision) DESC, created_at DESC, id DESC);
CREATE UNIQUE INDEX issues_identity_key ON issues USING btree (organization_id, identity);
CREATE INDEX issues_kev_idx ON issues USING btree (organization_id, created_at DESC, id DESC) WHERE kev;
CREATE INDEX issues_last_seen_idx ON issues USING btree (organization_id, COALESCE(last_seen_at, updated_at) DESC, id DESC);
CREATE INDEX issues_newest_idx ON issues USING btree (organization_id, created_at DESC, id DESC);
CREATE INDEX issues_of_default_counts_idx ON issues USING btree (organization_id, severity, status, category) WHERE (NOT branch_only);
CREATE INDEX issues_of_default_newest_idx ON issues USING btree (organization_id, created_at DESC, id DESC) WHERE (NOT branch_only);
CREATE INDEX issues_open_of_asset_idx ON issues USING btree (asset_id, severity) WHERE (status = 'OPEN'::text);
CREATE INDEX issues_rule_idx ON issues USING btree (organization_id, security_test_uid, created_at DESC, id DESC);
CREATE INDEX issues_scan_idx ON issues USING btree (scan_id);
CREATE INDEX issues_severity_order_idx ON issues USING btree (organization_id, (
CASE severity
    WHEN 'CRITICAL'::text THEN 5
    WHEN 'HIGH'::text THEN 4
    WHEN 'MEDIUM'::text THEN 3
    WHEN 'LOW'::text THEN 2
    ELSE 1
END) DESC, created_at DESC, id DESC);
CREATE INDEX locations_newest_idx ON locations USING btree (organization_id, created_at DESC, id DESC);
CREATE INDEX login_challenges_expiry_idx ON login_challenges USING btree (expires_at);
CREATE INDEX login_challenges_user_idx ON login_challenges USING btree (user_id);
CREATE INDEX mail_tokens_expiry_idx ON mail_tokens USING btree (expires_at);
CREATE INDEX mail_tokens_undo_idx ON mail_tokens USING btree (lower((email)::text)) WHERE (purpose = 'undo'::text);
CREATE INDEX mail_tokens_user_idx ON mail_tokens USING btree (user_id);
CREATE INDEX noted_requests_newest_idx ON noted_requests USING btree (created_at DESC, id DESC);
CREATE INDEX noted_requests_request_idx ON noted_requests USING btree (request_id);
CREATE INDEX noted_requests_user_idx ON noted_requests USING btree (user_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX oidc_identities_subject_key ON oidc_identities USING btree (issuer, subject);
CREATE UNIQUE INDEX oidc_identities_user_key ON oidc_identities USING btree (user_id, issuer);
CREATE INDEX oidc_logins_expiry_idx ON oidc_logins USING btree (expires_at);
CREATE INDEX oidc_logins_user_idx ON oidc_logins USING btree (user_id);
CREATE INDEX oidc_logout_tokens_expiry_idx ON oidc_logout_tokens USING btree (expires_at);
CREATE INDEX oidc_sessions_identity_idx ON oidc_sessions USING btree (identity_id);
CREATE INDEX oidc_sessions_sid_idx ON oidc_sessions USING btree (sid);
CREATE INDEX order_items_picture_idx ON order_items USING btree ("substring"(product_image_url, '/uploads/[a-z]+/([^/?#]+)'::text)) WHERE (product_image_url ~~ '%/uploads/%'::text);
CREATE INDEX order_items_product_idx ON order_items USING btree (product_id);
CREATE INDEX order_notes_order_idx ON order_notes USING btree (order_id, created_at);
CREATE INDEX order_notes_user_idx ON order_notes USING btree (user_id);
CREATE INDEX order_search_words_idx ON order_search USING gin (words);
CREATE INDEX orders_by_status_idx ON orders USING btree (status, created_at DESC, id DESC);
CREATE INDEX orders_coupon_idx ON orders USING btree (coupon_id) WHERE (coupon_id IS NOT NULL);
CREATE INDEX orders_newest_idx ON orders USING btree (created_at DESC, id DESC);
CREATE INDEX orders_of_user_idx ON orders USING btree (user_id, created_at DESC, id DESC);
CREATE INDEX orders_problems_idx ON orders USING btree (created_at DESC, id DESC) WHERE ((payment_problem IS NOT NULL) OR ((status = ANY (ARRAY['paid'::text, 'processing'::text])) AND (shipping_address IS NULL)));
CREATE INDEX orders_recipient_idx ON orders USING gin (name_words(((COALESCE(shipping_first_name, ''::text) || ' '::text) || COALESCE(shipping_last_name, ''::text))));
CREATE INDEX orders_returns_idx ON orders USING btree (created_at DESC, id DESC) WHERE ((reached = ANY (ARRAY['shipped'::text, 'delivered'::text, 'completed'::text])) AND ((status = 'refunded'::text) OR (refunded_total > (0)::numeric)));
CREATE INDEX orders_to_ship_idx ON orders USING btree (created_at DESC, id DESC) WHERE (status = ANY (ARRAY['paid'::text, 'processing'::text]));
CREATE INDEX orders_total_idx ON orders USING btree (total_price, id);
CREATE INDEX orders_unpaid_idx ON orders USING btree (user_id) WHERE (status = 'pending'::text);
CREATE INDEX organization_invitations_email_idx ON organization_invitations USING btree (lower((email)::text));
CREATE INDEX organization_invitations_expiry_idx ON organization_invitations USING btree (expires_at);
CREATE UNIQUE INDEX organization_invitations_invited_key ON organization_invitations USING btree (organization_id, COALESCE((user_id)::text, lower((email)::text)));
CREATE INDEX organization_invitations_inviter_idx ON organization_invitations USING btree (invited_by);
CREATE INDEX organization_invitations_newest_idx ON organization_invitations USING btree (organization_id, created_at DESC, id DESC);
CREATE INDEX organization_invitations_user_idx ON organization_invitations USING btree (user_id);
CREATE INDEX organization_members_newest_idx ON organization_members USING btree (organization_id, created_at DESC, user_id DESC);
CREATE INDEX organization_members_user_idx ON organization_members USING btree (user_id);
CREATE INDEX organizations_maker_idx ON organizations USING btree (created_by);
CREATE INDEX payment_sessions_open_idx ON payment_sessions USING btree (ask_at) WHERE (status = 'open'::text);
CREATE INDEX payment_sessions_order_idx ON payment_sessions USING btree (order_id);
CREATE UNIQUE INDEX payment_sessions_reference_key ON payment_sessions USING btree (provider, reference);
CREATE INDEX payments_order_idx ON payments USING btree (order_id, created_at);
CREATE UNIQUE INDEX payments_reference_key ON payments USING btree (provider, reference);
CREATE INDEX product_categories_category_idx ON product_categories USING btree (category_id, product_id);
CREATE INDEX product_images_picture_idx ON product_images USING btree ("substring"(url, '/uploads/[a-z]+/([^/?#]+)'::text)) WHERE (url ~~ '%/uploads/%'::text);
CREATE INDEX product_listings_group_idx ON product_listings USING btree (group_id) WHERE (group_id IS NOT NULL);
CREATE INDEX product_listings_keys_idx ON product_listings USING gin (keys);
CREATE INDEX product_listings_name_idx ON product_listings USING btree (lower(name) COLLATE names_in_order, product_id);
CREATE INDEX product_listings_price_idx ON product_listings USING btree (price, product_id);
CREATE INDEX product_listings_rating_idx ON product_listings USING btree (rating, product_id);
CREATE INDEX product_search_name_idx ON product_search USING btree (name_key, product_id);
CREATE INDEX product_search_text_idx ON product_search USING gin (name_key gin_trgm_ops, text_key gin_trgm_ops);
CREATE INDEX product_slugs_product_idx ON product_slugs USING btree (product_id, created_at);
CREATE INDEX product_words_alike_idx ON product_words USING gin (word gin_trgm_ops);
CREATE INDEX products_color_name_idx ON products USING btree (lower(color), lower((name)::text) COLLATE names_in_order, id) WHERE (deleted_at IS NULL);
CREATE INDEX products_listed_idx ON products USING btree (id) WHERE (deleted_at IS NULL);
CREATE INDEX products_low_stock_idx ON products USING btree (stock) WHERE (deleted_at IS NULL);
CREATE INDEX products_name_idx ON products USING btree (lower((name)::text) COLLATE names_in_order, id) WHERE (deleted_at IS NULL);
CREATE INDEX products_picture_idx ON products USING btree ("substring"(image_url, '/uploads/[a-z]+/([^/?#]+)'::text)) WHERE (image_url ~~ '%/uploads/%'::text);
CREATE INDEX products_price_idx ON products USING btree (price, id) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX products_sku_key ON products USING btree (sku) WHERE ((sku IS NOT NULL) AND (deleted_at IS NULL));
CREATE INDEX profiles_newest_idx ON profiles USING btree (organization_id, created_at DESC, id DESC);
CREATE INDEX rate_counters_end_idx ON rate_counters USING btree (window_ends_at);
CREATE INDEX refund_lines_item_idx ON refund_lines USING btree (item_id);
CREATE INDEX refunds_order_idx ON refunds USING btree (order_id, created_at);
CREATE INDEX refunds_payment_idx ON refunds USING btree (payment_id);
CREATE INDEX refunds_pending_idx ON refunds USING btree (ask_at) WHERE (status = 'pending'::text);
CREATE INDEX reviews_all_newest_idx ON reviews USING btree (created_at DESC, id DESC);
CREATE INDEX reviews_newest_idx ON reviews USING btree (product_id, created_at DESC, id DESC);
CREATE INDEX reviews_picture_idx ON reviews USING btree ("substring"(image_url, '/uploads/[a-z]+/([^/?#]+)'::text)) WHERE (image_url ~~ '%/uploads/%'::text);
CREATE INDEX reviews_text_idx ON reviews USING gin (lower(((COALESCE(title, ''::text) || ' '::text) || COALESCE(content, ''::text))) gin_trgm_ops);
CREATE INDEX reviews_user_idx ON reviews USING btree (user_id);
CREATE INDEX scan_assets_asset_idx ON scan_assets USING btree (asset_id);
CREATE INDEX scan_events_arrived_idx ON ONLY scan_events USING btree (organization_id, arrived, id);
CREATE INDEX scan_events_attached_idx ON ONLY scan_events USING btree (organization_id, created_at DESC, id DESC) WHERE (attachment_types <> '{}'::text[]);
CREATE INDEX scan_events_exchange_idx ON ONLY scan_events USING btree (organization_id, created_at DESC, id DESC) WHERE (attachment_types @> '{EXCHANGE}'::text[]);
CREATE INDEX scan_events_first_asset_idx ON ONLY scan_events USING btree (organization_id, (asset_ids[1]), created_at DESC, id DESC);
CREATE INDEX scan_events_further_assets_idx ON ONLY scan_events USING gin (asset_ids) WHERE (cardinality(asset_ids) > 1);
CREATE INDEX scan_events_issues_idx ON ONLY scan_events USING gin (issue_ids);
CREATE INDEX scan_events_kind_idx ON ONLY scan_events USING btree (organization_id, level, stage, id);
CREATE INDEX scan_events_many_assets_idx ON ONLY scan_events USING btree (organization_id, created_at DESC, id DESC) WHERE (cardinality(asset_ids) > 1);
CREATE INDEX scan_events_of_profile_idx ON ONLY scan_events USING btree (organization_id, profile_id, created_at DESC, id DESC);
CREATE INDEX scan_events_of_scan_idx ON ONLY scan_events USING btree (organization_id, scan_id, created_at DESC, id DESC);
CREATE INDEX scan_events_screenshot_idx ON ONLY scan_events USING btree (organization_id, created_at DESC, id DESC) WHERE (attachment_types @> '{SCREENSHOT}'::text[]);
CREATE INDEX scan_events_snippet_idx ON ONLY scan_events USING btree (organization_id, created_at DESC, id DESC) WHERE (attachment_types @> '{SNIPPET}'::text[]);
CREATE INDEX scan_events_text_idx ON ONLY scan_events USING gin ((((((title || chr(10)) || description) || chr(10)) || attachment_text)) gin_trgm_ops);
CREATE INDEX scan_reports_scope_idx ON scan_reports USING btree (organization_id, scope, scan_id);
CREATE INDEX scans_branch_idx ON scans USING btree (organization_id, branch, created_at DESC, id DESC) WHERE (branch IS NOT NULL);
CREATE INDEX scans_changed_idx ON scans USING btree (organization_id, changed_in);
CREATE INDEX scans_commit_idx ON scans USING btree (organization_id, commit_id) WHERE (commit_id IS NOT NULL);
CREATE INDEX scans_location_idx ON scans USING btree (location_id);
CREATE INDEX scans_newest_idx ON scans USING btree (organization_id, created_at DESC, id DESC);
CREATE INDEX scans_profile_idx ON scans USING btree (application_id, created_at DESC, id DESC);
CREATE INDEX sessions_expiry_idx ON sessions USING btree (expires_at);
CREATE INDEX sessions_user_idx ON sessions USING btree (user_id, last_used_at DESC);
CREATE INDEX shop_keys_maker_idx ON shop_keys USING btree (created_by);
CREATE INDEX shop_keys_newest_idx ON shop_keys USING btree (created_at DESC, id DESC);
CREATE INDEX shop_views_newest_idx ON shop_views USING btree (created_at DESC, id DESC);
CREATE UNIQUE INDEX shop_views_own_name_key ON shop_views USING btree (owner_id, list, lower((name)::text)) WHERE (NOT shared);
CREATE INDEX shop_views_owner_idx ON shop_views USING btree (owner_id);
CREATE UNIQUE INDEX shop_views_shared_name_key ON shop_views USING btree (list, lower((name)::text)) WHERE shared;
CREATE INDEX store_events_age_idx ON store_events USING btree (created_at);
CREATE UNIQUE INDEX store_events_seq_key ON store_events USING btree (seq);
CREATE INDEX store_events_unnumbered_idx ON store_events USING btree (written) WHERE (seq IS NULL);
CREATE INDEX store_events_user_idx ON store_events USING btree (user_id) WHERE (customer IS NOT NULL);
CREATE UNIQUE INDEX tags_name_key ON tags USING btree (organization_id, lower((name)::text));
CREATE INDEX tags_newest_idx ON tags USING btree (organization_id, created_at DESC, id DESC);
CREATE INDEX testimonials_featured_idx ON testimonials USING btree (created_at DESC, id DESC) WHERE is_featured;
CREATE INDEX testimonials_newest_idx ON testimonials USING btree (created_at DESC, id DESC);
CREATE INDEX testimonials_picture_idx ON testimonials USING btree ("substring"(guest_avatar_url, '/uploads/[a-z]+/([^/?#]+)'::text)) WHERE (guest_avatar_url ~~ '%/uploads/%'::text);
CREATE INDEX testimonials_text_idx ON testimonials USING gin (lower(((COALESCE(guest_name, ''::text) || ' '::text) || content)) gin_trgm_ops);
CREATE INDEX testimonials_user_idx ON testimonials USING btree (user_id);
CREATE INDEX uploads_unused_idx ON uploads USING btree (unused_since) WHERE (unused_since IS NOT NULL);
CREATE INDEX uploads_user_idx ON uploads USING btree (user_id);
CREATE UNIQUE INDEX user_addresses_default_key ON user_addresses USING btree (user_id) WHERE is_default;
CREATE INDEX user_addresses_user_idx ON user_addresses USING btree (user_id, created_at);
CREATE INDEX users_admins_idx ON users USING btree (id) WHERE ((role = 'admin'::text) AND (deleted_at IS NULL));
CREATE UNIQUE INDEX users_email_key ON users USING btree (lower((email)::text));
CREATE INDEX users_former_email_idx ON users USING btree (lower((former_email)::text)) WHERE (former_email IS NOT NULL);
CREATE INDEX users_newest_idx ON users USING btree (created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX users_picture_idx ON users USING btree ("substring"(avatar_url, '/uploads/[a-z]+/([^/?#]+)'::text)) WHERE (avatar_url ~~ '%/uploads/%'::text);
CREATE INDEX users_search_idx ON users USING gin ((((lower((username)::text) || ' '::text) || lower((email)::text))) gin_trgm_ops) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX users_username_key ON users USING btree (lower((username)::text));
CREATE INDEX users_words_idx ON users USING gin (name_words((((((((username)::text || ' '::text) || (email)::text) || ' '::text) || (COALESCE(first_name, ''::character varying))::text) || ' '::text) || (COALESCE(last_name, ''::character varying))::text))) WHERE (deleted_at IS NULL);
CREATE INDEX webhook_deliveries_action_idx ON webhook_deliveries USING btree (action_id);
CREATE INDEX webhook_deliveries_due_idx ON webhook_deliveries USING btree (next_attempt_at) WHERE (status = ANY (ARRAY['PENDING'::text, 'RETRYING'::text]));
CREATE UNIQUE INDEX webhook_deliveries_event_key ON webhook_deliveries USING btree (event_id, webhook_id) WHERE (event_id IS NOT NULL);
CREATE INDEX webhook_deliveries_exhausted_idx ON webhook_deliveries USING btree (workflow_id, finished_at) WHERE (status = 'EXHAUSTED'::text);
CREATE INDEX webhook_deliveries_newest_idx ON webhook_deliveries USING btree (workflow_id, created_at DESC, id DESC);
CREATE INDEX webhook_deliveries_run_idx ON webhook_deliveries USING btree (run_id);
CREATE INDEX webhook_deliveries_status_idx ON webhook_deliveries USING btree (organization_id, status, created_at DESC, id DESC);
CREATE INDEX webhook_deliveries_webhook_status_idx ON webhook_deliveries USING btree (webhook_id, status, created_at DESC, id DESC) WHERE (webhook_id IS NOT NULL);
CREATE INDEX webhook_deliveries_workflow_status_idx ON webhook_deliveries USING btree (workflow_id, status, created_at DESC, id DESC);
CREATE INDEX workflow_actions_workflow_idx ON workflow_actions USING btree (workflow_id, "position");
CREATE INDEX workflow_runs_age_idx ON workflow_runs USING btree (created_at);
CREATE INDEX workflow_runs_newest_idx ON workflow_runs USING btree (workflow_id, created_at DESC, id DESC);
CREATE INDEX workflow_runs_organization_idx ON workflow_runs USING btree (organization_id);
CREATE INDEX workflow_runs_pending_idx ON workflow_runs USING btree (runs_at) WHERE (status = 'PENDING'::text);
CREATE INDEX workflow_triggers_organization_idx ON workflow_triggers USING btree (organization_id);
CREATE INDEX workflow_troubles_workflow_idx ON workflow_troubles USING btree (workflow_id);
CREATE INDEX workflows_newest_idx ON workflows USING btree (organization_id, created_at DESC, id DESC);
CREATE INDEX workflows_trigger_idx ON workflows USING btree (organization_id, trigger_type) WHERE enabled;
CREATE COLLATION names_in_order (provider = i);
CREATE OR REPLACE FUNCTION alike_words(t text, most integer)
 RETURNS SETOF text
 LANGUAGE sql
 STABLE
 SET "pg_trgm.similarity_threshold" TO '0.25'
AS $function$
  SELECT word FROM product_words
   WHERE word % t AND similarity(word, t) >= CASE WHEN char_length(t) < 6 THEN 0.3 ELSE 0.25 END
   ORDER BY similarity(word, t) DESC, word
   LIMIT most
$function$;
CREATE OR REPLACE FUNCTION append_events(organization uuid, scan uuid, profile uuid, events json)
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
DECLARE
  added bigint;
BEGIN
  INSERT INTO scan_events (organization_id, scan_id, profile_id, id, created_at, level, stage, title, description,
                           asset_ids, issue_ids, attachments, attachment_types, attachment_text)
  SELECT organization, scan, profile, e.id, e.created_at, e.level, e.stage, e.title, e.description,
         e.asset_ids, e.issue_ids, e.attachments, e.attachment_types, e.attachment_text
    FROM json_to_recordset(events) AS e(
           id uuid, created_at timestamptz, level text, stage text, title text, description text, asset_ids uuid[],
           issue_ids uuid[], attachments json, attachment_types text[], attachment_text text)
   ORDER BY e.id, e.created_at
  ON CONFLICT DO NOTHING;
  GET DIAGNOSTICS added = ROW_COUNT;
  RETURN added;
END $function$;
CREATE OR REPLACE FUNCTION count_added_events()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  WITH grouped AS (
    SELECT organization_id, date_bin('1 hour', created_at, '2000-01-01 00:00Z') AS hour, level, arrived, appended_at,
           count(*) AS count
      FROM added GROUP BY 1, 2, 3, 4, 5
  ), counted AS (
    INSERT INTO scan_event_counts AS c (organization_id, hour, level, backend, count)
    SELECT organization_id, hour, level, pg_backend_pid(), sum(count) FROM grouped GROUP BY 1, 2, 3
    ON CONFLICT (organization_id, hour, level, backend) DO UPDATE SET count = c.count + excluded.count
  )
  INSERT INTO event_batches (organization_id, arrived, appended_at)
  SELECT DISTINCT organization_id, arrived, appended_at FROM grouped ON CONFLICT DO NOTHING;
  RETURN NULL;
END $function$;
CREATE OR REPLACE FUNCTION count_copied_events(organization uuid, counts json)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO scan_event_counts AS c (organization_id, hour, level, backend, count)
  SELECT organization, a.hour, a.level, pg_backend_pid(), a.count
    FROM json_to_recordset(counts) AS a(hour timestamptz, level text, count bigint)
  ON CONFLICT (organization_id, hour, level, backend) DO UPDATE SET count = c.count + excluded.count;
  INSERT INTO event_batches (organization_id, arrived, appended_at) VALUES (organization, pg_current_xact_id(), now())
  ON CONFLICT DO NOTHING;
END $function$;
CREATE OR REPLACE FUNCTION follow_deleted_issue_branches()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
BEGIN
  DELETE FROM issue_branches WHERE issue_id = ANY (ARRAY(SELECT id FROM removed));
  RETURN NULL;
END $function$;
CREATE OR REPLACE FUNCTION follow_deleted_issue_details()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
BEGIN
  DELETE FROM issue_details WHERE issue_id = ANY (ARRAY(SELECT id FROM removed));
  RETURN NULL;
END $function$;
CREATE OR REPLACE FUNCTION follow_deleted_issue_identifiers()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
BEGIN
  DELETE FROM issue_identifiers WHERE issue_id = ANY (ARRAY(SELECT id FROM removed));
  RETURN NULL;
END $function$;
CREATE OR REPLACE FUNCTION follow_deleted_issues()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
DECLARE
  ids uuid[] := ARRAY(SELECT id FROM removed);
BEGIN
  DELETE FROM issue_scans WHERE issue_id = ANY (ids);
  DELETE FROM issue_targets WHERE issue_id = ANY (ids);
  DELETE FROM issue_activities WHERE issue_id = ANY (ids);
  RETURN NULL;
END $function$;
CREATE OR REPLACE FUNCTION follow_deleted_organizations()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
BEGIN
  DELETE FROM issues WHERE organization_id = ANY (ARRAY(SELECT id FROM removed));
  RETURN NULL;
END $function$;
CREATE OR REPLACE FUNCTION follow_deleted_scans()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
DECLARE
  ids uuid[] := ARRAY(SELECT id FROM removed);
BEGIN
  DELETE FROM issue_scans WHERE scan_id = ANY (ids);
  UPDATE issue_targets SET scan_id = NULL WHERE scan_id = ANY (ids);
  UPDATE issues SET scan_id = NULL WHERE scan_id = ANY (ids);
  RETURN NULL;
END $function$;
CREATE OR REPLACE FUNCTION give_slug()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  NEW.slug := take_slug(NEW.id, coalesce(NEW.slug, NEW.name));
  RETURN NEW;
END $function$;
CREATE OR REPLACE FUNCTION hold_shown_picture()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM FROM uploads
    WHERE filename = substring(to_jsonb(NEW) ->> TG_ARGV[0], '/uploads/[a-z]+/([^/?#]+)') FOR KEY SHARE;
  RETURN NEW;
END $function$;
CREATE OR REPLACE FUNCTION identify_described_issues()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM identify_issues(ARRAY(SELECT issue_id FROM described));
  RETURN NULL;
END $function$;
CREATE OR REPLACE FUNCTION identify_issues(ids uuid[])
 RETURNS void
 LANGUAGE sql
 SET enable_seqscan TO 'off'
AS $function$
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
$function$;
CREATE OR REPLACE FUNCTION index_added_products()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM index_products(ARRAY(SELECT id FROM added));
  RETURN NULL;
END $function$;
CREATE OR REPLACE FUNCTION index_changed_order()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM index_orders(ARRAY[NEW.id]);
  RETURN NULL;
END $function$;
CREATE OR REPLACE FUNCTION index_changed_product()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM index_products(ARRAY[NEW.id]);
  RETURN NULL;
END $function$;
CREATE OR REPLACE FUNCTION index_orders(ids integer[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO order_search (order_id, words)
  SELECT o.id, strip(name_words(concat_ws(' ',
           u.username, u.email, u.first_name, u.last_name, o.shipping_first_name, o.shipping_last_name,
           o.shipping_address, o.shipping_zip, replace(o.shipping_zip, ' ', ''), o.shipping_city, o.shipping_phone,
           regexp_replace(o.shipping_phone, '\D', '', 'g'),
           (SELECT left(string_agg(line.product_name, ' '), 100000) FROM order_items line WHERE line.order_id = o.id))))
    FROM orders o JOIN users u ON u.id = o.user_id
   WHERE o.id = ANY (ids)
   ORDER BY o.id
      ON CONFLICT (order_id) DO UPDATE SET words = excluded.words;
END $function$;
CREATE OR REPLACE FUNCTION index_orders_of_user()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM index_orders(ARRAY(SELECT id FROM orders WHERE user_id = NEW.id));
  RETURN NULL;
END $function$;
CREATE OR REPLACE FUNCTION index_products(ids integer[])
 RETURNS void
 LANGUAGE sql
AS $function$
  DELETE FROM product_search
   USING products
   WHERE products.id = product_search.product_id AND products.id = ANY (ids) AND products.deleted_at IS NOT NULL;

  INSERT INTO product_search (product_id, name_key, text_key)
  SELECT p.id, btrim(regexp_replace(search_key(p.name), '\s+', ' ', 'g')),
         search_key(concat_ws(E'\n', p.name, p.description))
    FROM unnest(ids) AS id JOIN products p USING (id)
   WHERE p.deleted_at IS NULL
      ON CONFLICT (product_id) DO UPDATE SET name_key = excluded.name_key, text_key = excluded.text_key;

  INSERT INTO product_words (word)
  SELECT DISTINCT word
    FROM unnest(ids) AS id
    JOIN product_search s ON s.product_id = id,
         unnest(tsvector_to_array(to_tsvector('simple', translate(s.text_key, './@_:', '     ')))) AS word
   WHERE char_length(word) BETWEEN 3 AND 50 AND word ~ '[^0-9.+-]'
   ORDER BY word
      ON CONFLICT DO NOTHING;
$function$;
CREATE OR REPLACE FUNCTION keep_assets_of_issues()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
BEGIN
  IF EXISTS (SELECT FROM issues WHERE asset_id = ANY (ARRAY(SELECT id FROM removed))) THEN
    RAISE foreign_key_violation USING
      MESSAGE = 'Assets that have issues cannot be deleted', TABLE = 'issues', CONSTRAINT = 'issues_asset_id_fkey';
  END IF;
  RETURN NULL;
END $function$;
CREATE OR REPLACE FUNCTION list_added_products()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM list_products(ARRAY(SELECT id FROM added));
  RETURN NULL;
END $function$;
CREATE OR REPLACE FUNCTION list_categorized_products()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM list_products(ARRAY(SELECT DISTINCT product_id FROM changed));
  RETURN NULL;
END $function$;
CREATE OR REPLACE FUNCTION list_changed_product()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM list_products(ARRAY[NEW.id]);
  RETURN NULL;
END $function$;
CREATE OR REPLACE FUNCTION list_products(ids integer[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM FROM products WHERE id = ANY (ids) ORDER BY id FOR NO KEY UPDATE;

  DELETE FROM product_listings l
   USING products p
   WHERE l.product_id = ANY (ids) AND p.id = l.product_id AND (p.deleted_at IS NOT NULL OR p.status <> 'published');

  INSERT INTO product_listings (product_id, group_id, name, price, rating, keys)
  SELECT p.id, p.group_id, p.name, p.price, coalesce(round(100.0 * p.rating_sum / nullif(p.review_count, 0)), 0),
         array_remove(ARRAY['color:' || lower(p.color), 'size:' || lower(p.size), 'material:' || lower(p.material),
                            CASE WHEN p.stock > 0 THEN 'stock' END], NULL)
           || ARRAY(SELECT 'category:' || category_id FROM product_categories WHERE product_id = p.id ORDER BY category_id)
    FROM products p
   WHERE p.id = ANY (ids) AND p.deleted_at IS NULL AND p.status = 'published'
   ORDER BY p.id
      ON CONFLICT (product_id) DO UPDATE
     SET group_id = excluded.group_id, name = excluded.name, price = excluded.price, rating = excluded.rating,
         keys = excluded.keys;

  UPDATE product_search s SET is_public = NOT s.is_public
    FROM products p
   WHERE s.product_id = ANY (ids) AND p.id = s.product_id AND s.is_public <> (p.status = 'published');
END $function$;
CREATE OR REPLACE FUNCTION name_query(t text)
 RETURNS tsquery
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  SELECT string_agg('''' || word || ''':*', ' & ')::tsquery FROM unnest(tsvector_to_array(name_words(t))) AS word
$function$;
CREATE OR REPLACE FUNCTION name_words(t text)
 RETURNS tsvector
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT COST 1000
AS $function$
BEGIN
  RETURN to_tsvector('pg_catalog.simple', translate(
    lower(unaccent('unaccent', lower(normalize(t, NFC)))), './@_:+-''', '        '));
END $function$;
CREATE OR REPLACE FUNCTION note_changed_scan()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  NEW.changed_in := pg_current_xact_id()::text::bigint;
  NEW.changed_at := now();
  INSERT INTO event_batches (organization_id, arrived, appended_at)
  SELECT id, pg_current_xact_id(), NEW.changed_at FROM organizations WHERE id = NEW.organization_id
  ON CONFLICT DO NOTHING;
  RETURN NEW;
END $function$;
CREATE OR REPLACE FUNCTION note_unindexed_order()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO unindexed_orders (order_id) VALUES (NEW.id);
  RETURN NULL;
END $function$;
CREATE OR REPLACE FUNCTION number_event_batches(organizations uuid[], most integer)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
DECLARE
  now_us bigint;
  done integer;
BEGIN
  INSERT INTO event_positions (organization_id)
  SELECT id FROM unnest(organizations) AS id ORDER BY id ON CONFLICT DO NOTHING;
  PERFORM FROM event_positions WHERE organization_id = ANY(organizations) ORDER BY organization_id FOR UPDATE;
  now_us := extract(epoch FROM clock_timestamp()) * 1000000;
  WITH taken AS (
    SELECT b.organization_id, b.arrived, b.appended_at FROM event_batches b
     WHERE b.organization_id = ANY(organizations) AND b.number IS NULL
     ORDER BY b.organization_id, b.appended_at, b.arrived LIMIT most
  ), given AS (
    SELECT t.*, greatest(p.last, now_us)
                + row_number() OVER (PARTITION BY t.organization_id ORDER BY t.appended_at, t.arrived) AS number
      FROM taken t JOIN event_positions p ON p.organization_id = t.organization_id
  ), numbered AS (
    UPDATE event_batches b SET number = g.number FROM given g
     WHERE b.organization_id = g.organization_id AND b.arrived = g.arrived AND b.appended_at = g.appended_at
    RETURNING b.organization_id, b.number
  ), moved AS (
    UPDATE event_positions p SET last = n.last
      FROM (SELECT organization_id, max(number) AS last FROM numbered GROUP BY organization_id) AS n
     WHERE p.organization_id = n.organization_id
  )
  SELECT count(*) INTO done FROM numbered;
  RETURN done;
END $function$;
CREATE OR REPLACE FUNCTION rate_by_added_reviews()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM rate_products(array_agg(product_id), array_agg(count), array_agg(sum))
    FROM (SELECT product_id, count(*)::integer AS count, sum(rating)::integer AS sum FROM added GROUP BY product_id) AS change
  HAVING count(*) > 0;
  RETURN NULL;
END $function$;
CREATE OR REPLACE FUNCTION rate_by_changed_review()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM rate_products(ARRAY[NEW.product_id], ARRAY[0], ARRAY[NEW.rating - OLD.rating]);
  RETURN NULL;
END $function$;
CREATE OR REPLACE FUNCTION rate_by_removed_reviews()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM rate_products(array_agg(product_id), array_agg(-count), array_agg(-sum))
    FROM (SELECT product_id, count(*)::integer AS count, sum(rating)::integer AS sum FROM removed GROUP BY product_id) AS change
  HAVING count(*) > 0;
  RETURN NULL;
END $function$;
CREATE OR REPLACE FUNCTION rate_identified_issues()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
BEGIN
  IF EXISTS (SELECT FROM threat_feeds) THEN
    UPDATE issues i SET epss = t.epss, kev = t.kev
      FROM threats_of(ARRAY(SELECT DISTINCT issue_id FROM changed WHERE value LIKE 'CVE-%')) t
     WHERE i.id = t.issue_id AND (i.epss, i.kev) IS DISTINCT FROM (t.epss, t.kev);
  END IF;
  RETURN NULL;
END $function$;
CREATE OR REPLACE FUNCTION rate_products(ids integer[], counts integer[], sums integer[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM FROM products WHERE id = ANY (ids) ORDER BY id FOR NO KEY UPDATE;
  UPDATE products
     SET review_count = review_count + change.count, rating_sum = rating_sum + change.sum
    FROM unnest(ids, counts, sums) AS change (id, count, sum)
   WHERE products.id = change.id;
END $function$;
CREATE OR REPLACE FUNCTION refer_to_assets()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
DECLARE
  ids uuid[] := ARRAY(SELECT DISTINCT asset_id FROM added WHERE asset_id IS NOT NULL);
BEGIN
  PERFORM FROM assets WHERE id = ANY (ids) AND xmin <> pg_current_xact_id()::xid FOR KEY SHARE;
  IF (SELECT count(*) FROM assets WHERE id = ANY (ids)) < cardinality(ids) THEN
    RAISE foreign_key_violation USING
      MESSAGE = format('Rows of %I refer by asset_id to what is not in assets', TG_TABLE_NAME),
      TABLE = TG_TABLE_NAME, CONSTRAINT = TG_TABLE_NAME || '_asset_id_fkey';
  END IF;
  RETURN NULL;
END $function$;
CREATE OR REPLACE FUNCTION refer_to_issues()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
DECLARE
  ids uuid[] := ARRAY(SELECT DISTINCT issue_id FROM added WHERE issue_id IS NOT NULL);
BEGIN
  PERFORM FROM issues WHERE id = ANY (ids) AND xmin <> pg_current_xact_id()::xid FOR KEY SHARE;
  IF (SELECT count(*) FROM issues WHERE id = ANY (ids)) < cardinality(ids) THEN
    RAISE foreign_key_violation USING
      MESSAGE = format('Rows of %I refer by issue_id to what is not in issues', TG_TABLE_NAME),
      TABLE = TG_TABLE_NAME, CONSTRAINT = TG_TABLE_NAME || '_issue_id_fkey';
  END IF;
  RETURN NULL;
END $function$;
CREATE OR REPLACE FUNCTION refer_to_organizations()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
DECLARE
  ids uuid[] := ARRAY(SELECT DISTINCT organization_id FROM added WHERE organization_id IS NOT NULL);
BEGIN
  PERFORM FROM organizations WHERE id = ANY (ids) AND xmin <> pg_current_xact_id()::xid FOR KEY SHARE;
  IF (SELECT count(*) FROM organizations WHERE id = ANY (ids)) < cardinality(ids) THEN
    RAISE foreign_key_violation USING
      MESSAGE = format('Rows of %I refer by organization_id to what is not in organizations', TG_TABLE_NAME),
      TABLE = TG_TABLE_NAME, CONSTRAINT = TG_TABLE_NAME || '_organization_id_fkey';
  END IF;
  RETURN NULL;
END $function$;
CREATE OR REPLACE FUNCTION refer_to_scans()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
DECLARE
  ids uuid[] := ARRAY(SELECT DISTINCT scan_id FROM added WHERE scan_id IS NOT NULL);
BEGIN
  PERFORM FROM scans WHERE id = ANY (ids) AND xmin <> pg_current_xact_id()::xid FOR KEY SHARE;
  IF (SELECT count(*) FROM scans WHERE id = ANY (ids)) < cardinality(ids) THEN
    RAISE foreign_key_violation USING
      MESSAGE = format('Rows of %I refer by scan_id to what is not in scans', TG_TABLE_NAME),
      TABLE = TG_TABLE_NAME, CONSTRAINT = TG_TABLE_NAME || '_scan_id_fkey';
  END IF;
  RETURN NULL;
END $function$;
CREATE OR REPLACE FUNCTION refuse_audit_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION 'The audit log is append-only: % of % is refused', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'restrict_violation';
END $function$;
CREATE OR REPLACE FUNCTION search_key(t text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
BEGIN
  RETURN lower(unaccent('unaccent', lower(normalize(t, NFC))));
END $function$;
CREATE OR REPLACE FUNCTION search_pattern(t text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
BEGIN
  RETURN '%' || replace(replace(replace(search_key(t), '\', '\\'), '%', '\%'), '_', '\_') || '%';
END $function$;
CREATE OR REPLACE FUNCTION slug_of(t text)
 RETURNS text
 LANGUAGE plpgsql
 STABLE STRICT
AS $function$
BEGIN
  RETURN btrim(left(btrim(regexp_replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(translate(translate(search_key(t), 'абвгґдеѐёзиѝіїйклмнопрстуўфыэє', 'abvggdeeeziiiijklmnoprstuufyee'), 'αβγδεζηικλμνξοπρσςτυφω', 'avgdeziiklmnxoprsstyfo'), 'ж', 'zh'), 'х', 'kh'), 'ц', 'ts'), 'ч', 'ch'), 'ш', 'sh'), 'щ', 'shch'), 'ю', 'yu'), 'я', 'ya'), 'ъ', ''), 'ь', ''), 'ђ', 'dj'), 'ј', 'j'), 'љ', 'lj'), 'њ', 'nj'), 'ћ', 'c'), 'џ', 'dz'), 'θ', 'th'), 'χ', 'ch'), 'ψ', 'ps'), '[^a-z0-9]+', '-', 'g'), '-'), 80), '-');
END $function$;
CREATE OR REPLACE FUNCTION take_slug(id integer, wanted text)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
DECLARE
  base text := CASE WHEN slug_of(wanted) = '' THEN 'product' ELSE slug_of(wanted) END;
  candidate text := CASE WHEN base ~ '^(product|[0-9]+)$' THEN base || '-' || id ELSE base END;
BEGIN
  FOR n IN 1..1000 LOOP
    INSERT INTO product_slugs (slug, product_id) VALUES (candidate, id) ON CONFLICT DO NOTHING;
    IF FOUND THEN RETURN candidate; END IF;
    candidate := base || '-' || id || CASE WHEN n = 1 THEN '' ELSE '-' || n END;
  END LOOP;
  RAISE 'There is no free slug for product %', id;
END $function$;
CREATE OR REPLACE FUNCTION threats_of(ids uuid[])
 RETURNS TABLE(issue_id uuid, epss double precision, kev boolean)
 LANGUAGE sql
 STABLE
 SET enable_seqscan TO 'off'
AS $function$
  SELECT given.id, max(s.epss), coalesce(bool_or(k.cve IS NOT NULL), false)
    FROM unnest(ids) AS given (id)
    LEFT JOIN issue_identifiers x ON x.issue_id = given.id
    LEFT JOIN epss_scores s
           ON s.generation = (SELECT generation FROM threat_feeds WHERE kind = 'EPSS') AND s.cve = x.value
    LEFT JOIN known_exploited k
           ON k.generation = (SELECT generation FROM threat_feeds WHERE kind = 'KEV') AND k.cve = x.value
   GROUP BY given.id
$function$;
CREATE TRIGGER assets_deleted AFTER DELETE ON assets REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION keep_assets_of_issues();
CREATE TRIGGER audit_entries_change BEFORE DELETE OR UPDATE ON audit_entries FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER audit_entries_truncation BEFORE TRUNCATE ON audit_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER categories_picture BEFORE INSERT OR UPDATE OF image_url ON categories FOR EACH ROW WHEN ((new.image_url ~~ '%/uploads/%'::text)) EXECUTE FUNCTION hold_shown_picture('image_url');
CREATE TRIGGER issue_activities_refer_to_issues_on_insert AFTER INSERT ON issue_activities REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION refer_to_issues();
CREATE TRIGGER issue_activities_refer_to_issues_on_update AFTER UPDATE ON issue_activities REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION refer_to_issues();
CREATE TRIGGER issue_branches_refer_to_issues_on_insert AFTER INSERT ON issue_branches REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION refer_to_issues();
CREATE TRIGGER issue_details_identify_on_insert AFTER INSERT ON issue_details REFERENCING NEW TABLE AS described FOR EACH STATEMENT EXECUTE FUNCTION identify_described_issues();
CREATE TRIGGER issue_details_identify_on_update AFTER UPDATE ON issue_details REFERENCING NEW TABLE AS described FOR EACH STATEMENT EXECUTE FUNCTION identify_described_issues();
CREATE TRIGGER issue_identifiers_rate_on_delete AFTER DELETE ON issue_identifiers REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION rate_identified_issues();
CREATE TRIGGER issue_identifiers_rate_on_insert AFTER INSERT ON issue_identifiers REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION rate_identified_issues();
CREATE TRIGGER issue_scans_refer_to_issues_on_insert AFTER INSERT ON issue_scans REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION refer_to_issues();
CREATE TRIGGER issue_scans_refer_to_issues_on_update AFTER UPDATE ON issue_scans REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION refer_to_issues();
CREATE TRIGGER issue_scans_refer_to_scans_on_insert AFTER INSERT ON issue_scans REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION refer_to_scans();
CREATE TRIGGER issue_scans_refer_to_scans_on_update AFTER UPDATE ON issue_scans REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION refer_to_scans();
CREATE TRIGGER issue_targets_refer_to_issues_on_insert AFTER INSERT ON issue_targets REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION refer_to_issues();
CREATE TRIGGER issue_targets_refer_to_issues_on_update AFTER UPDATE ON issue_targets REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION refer_to_issues();
CREATE TRIGGER issue_targets_refer_to_scans_on_insert AFTER INSERT ON issue_targets REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION refer_to_scans();
CREATE TRIGGER issue_targets_refer_to_scans_on_update AFTER UPDATE ON issue_targets REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION refer_to_scans();
CREATE TRIGGER issues_deleted AFTER DELETE ON issues REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION follow_deleted_issues();
CREATE TRIGGER issues_deleted_branches AFTER DELETE ON issues REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION follow_deleted_issue_branches();
CREATE TRIGGER issues_deleted_details AFTER DELETE ON issues REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION follow_deleted_issue_details();
CREATE TRIGGER issues_deleted_identifiers AFTER DELETE ON issues REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION follow_deleted_issue_identifiers();
CREATE TRIGGER issues_refer_to_assets_on_insert AFTER INSERT ON issues REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION refer_to_assets();
CREATE TRIGGER issues_refer_to_organizations_on_insert AFTER INSERT ON issues REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION refer_to_organizations();
CREATE TRIGGER issues_refer_to_scans_on_insert AFTER INSERT ON issues REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION refer_to_scans();
CREATE TRIGGER issues_refer_to_scans_on_update AFTER UPDATE ON issues REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION refer_to_scans();
CREATE TRIGGER orders_added AFTER INSERT ON orders FOR EACH ROW EXECUTE FUNCTION note_unindexed_order();
CREATE TRIGGER orders_addressed AFTER UPDATE OF shipping_first_name, shipping_last_name, shipping_address, shipping_zip, shipping_city, shipping_phone ON orders FOR EACH ROW EXECUTE FUNCTION index_changed_order();
CREATE TRIGGER organizations_deleted AFTER DELETE ON organizations REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION follow_deleted_organizations();
CREATE TRIGGER product_categories_added AFTER INSERT ON product_categories REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION list_categorized_products();
CREATE TRIGGER product_categories_removed AFTER DELETE ON product_categories REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION list_categorized_products();
CREATE TRIGGER product_images_picture BEFORE INSERT OR UPDATE OF url ON product_images FOR EACH ROW WHEN ((new.url ~~ '%/uploads/%'::text)) EXECUTE FUNCTION hold_shown_picture('url');
CREATE TRIGGER products_added AFTER INSERT ON products REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION index_added_products();
CREATE TRIGGER products_changed AFTER UPDATE OF name, description, deleted_at ON products FOR EACH ROW EXECUTE FUNCTION index_changed_product();
CREATE TRIGGER products_listed AFTER INSERT ON products REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION list_added_products();
CREATE TRIGGER products_listed_anew AFTER UPDATE OF name, price, color, material, size, group_id, status, deleted_at, review_count, rating_sum ON products FOR EACH ROW WHEN ((((((((((((old.name)::text IS DISTINCT FROM (new.name)::text) OR (old.price IS DISTINCT FROM new.price)) OR (old.color IS DISTINCT FROM new.color)) OR (old.material IS DISTINCT FROM new.material)) OR (old.size IS DISTINCT FROM new.size)) OR (old.group_id IS DISTINCT FROM new.group_id)) OR (old.status IS DISTINCT FROM new.status)) OR (old.deleted_at IS DISTINCT FROM new.deleted_at)) OR (old.review_count IS DISTINCT FROM new.review_count)) OR (old.rating_sum IS DISTINCT FROM new.rating_sum))) EXECUTE FUNCTION list_changed_product();
CREATE TRIGGER products_picture BEFORE INSERT OR UPDATE OF image_url ON products FOR EACH ROW WHEN ((new.image_url ~~ '%/uploads/%'::text)) EXECUTE FUNCTION hold_shown_picture('image_url');
CREATE TRIGGER products_slug BEFORE INSERT ON products FOR EACH ROW EXECUTE FUNCTION give_slug();
CREATE TRIGGER products_sold_out AFTER UPDATE OF stock ON products FOR EACH ROW WHEN (((old.stock = 0) <> (new.stock = 0))) EXECUTE FUNCTION list_changed_product();
CREATE TRIGGER reviews_picture BEFORE INSERT OR UPDATE OF image_url ON reviews FOR EACH ROW WHEN ((new.image_url ~~ '%/uploads/%'::text)) EXECUTE FUNCTION hold_shown_picture('image_url');
CREATE TRIGGER reviews_rate_on_delete AFTER DELETE ON reviews REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION rate_by_removed_reviews();
CREATE TRIGGER reviews_rate_on_insert AFTER INSERT ON reviews REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION rate_by_added_reviews();
CREATE TRIGGER reviews_rate_on_update AFTER UPDATE OF rating ON reviews FOR EACH ROW WHEN ((old.rating <> new.rating)) EXECUTE FUNCTION rate_by_changed_review();
CREATE TRIGGER scan_events_added AFTER INSERT ON scan_events REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added_events();
CREATE TRIGGER scans_changed BEFORE INSERT OR UPDATE OF status, progress_ratio ON scans FOR EACH ROW EXECUTE FUNCTION note_changed_scan();
CREATE TRIGGER scans_deleted AFTER DELETE ON scans REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION follow_deleted_scans();
CREATE TRIGGER testimonials_picture BEFORE INSERT OR UPDATE OF guest_avatar_url ON testimonials FOR EACH ROW WHEN ((new.guest_avatar_url ~~ '%/uploads/%'::text)) EXECUTE FUNCTION hold_shown_picture('guest_avatar_url');
CREATE TRIGGER users_picture BEFORE INSERT OR UPDATE OF avatar_url ON users FOR EACH ROW WHEN ((new.avatar_url ~~ '%/uploads/%'::text)) EXECUTE FUNCTION hold_shown_picture('avatar_url');
CREATE TRIGGER users_renamed AFTER UPDATE OF username, email, first_name, last_name ON users FOR EACH ROW WHEN ((((((old.username)::text IS DISTINCT FROM (new.username)::text) OR ((old.email)::text IS DISTINCT FROM (new.email)::text)) OR ((old.first_name)::text IS DISTINCT FROM (new.first_name)::text)) OR ((old.last_name)::text IS DISTINCT FROM (new.last_name)::text))) EXECUTE FUNCTION index_orders_of_user();
