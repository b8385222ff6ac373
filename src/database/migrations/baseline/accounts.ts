const state = `
CREATE TABLE service_state (
  key text PRIMARY KEY,
  value jsonb NOT NULL,
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
`;

/** The counters of limits: wrong guesses, and the used part of each rate in its window. All nodes share them. */
const counters = `
CREATE TABLE guess_counters (
  key text PRIMARY KEY,
  failures integer NOT NULL,
  blocked_until timestamptz(3),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX guess_counters_updated_idx ON guess_counters (updated_at);

CREATE TABLE rate_counters (
  key text PRIMARY KEY,
  used bigint NOT NULL,
  window_ends_at timestamptz(3) NOT NULL
);
CREATE INDEX rate_counters_end_idx ON rate_counters (window_ends_at);
`;

const users = `
CREATE TABLE users (
  id uuid PRIMARY KEY,
  username varchar(50),
  email varchar(254),
  password_hash text NOT NULL,
  first_name varchar(100),
  last_name varchar(100),
  avatar_url text,
  bio varchar(2000),
  role text NOT NULL DEFAULT 'user' CHECK (role IN ('user', 'admin')),
  account_credit numeric(12,2) NOT NULL DEFAULT 0,
  referral_count integer NOT NULL DEFAULT 0,
  can_be_deleted boolean NOT NULL DEFAULT true,
  token_version integer NOT NULL DEFAULT 0,
  totp_enabled boolean NOT NULL DEFAULT false,
  totp_secret text,
  totp_last_step bigint NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  deleted_at timestamptz(3),
  email_verified boolean NOT NULL DEFAULT false,
  former_email varchar(254),
  suspended_at timestamptz(3),
  CHECK (deleted_at IS NOT NULL OR (username IS NOT NULL AND email IS NOT NULL)),
  CHECK (NOT totp_enabled OR totp_secret IS NOT NULL)
);
CREATE UNIQUE INDEX users_username_key ON users (lower(username));
CREATE UNIQUE INDEX users_email_key ON users (lower(email));
CREATE INDEX users_former_email_idx ON users (lower(former_email)) WHERE former_email IS NOT NULL;
CREATE INDEX users_newest_idx ON users (created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX users_admins_idx ON users (id) WHERE role = 'admin' AND deleted_at IS NULL;
CREATE INDEX users_search_idx ON users
  USING gin ((lower(username) || ' ' || lower(email)) gin_trgm_ops) WHERE deleted_at IS NULL;
CREATE INDEX users_words_idx ON users USING gin (name_words(
  username || ' ' || email || ' ' || coalesce(first_name, '') || ' ' || coalesce(last_name, '')))
  WHERE deleted_at IS NULL;

CREATE TABLE recovery_codes (
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  code_hash text NOT NULL,
  used_at timestamptz(3),
  PRIMARY KEY (user_id, code_hash)
);

CREATE TABLE login_challenges (
  token_hash text PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  token_version integer NOT NULL,
  wrong_codes integer NOT NULL DEFAULT 0,
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX login_challenges_user_idx ON login_challenges (user_id);
CREATE INDEX login_challenges_expiry_idx ON login_challenges (expires_at);
`;

/**
 * A session is one family of refresh tokens; the database stores only their digests. Known devices are stored so that
 * the owner of an account can be told of a new one.
 */
const sessions = `
CREATE TABLE sessions (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  token_version integer NOT NULL,
  token_hash text NOT NULL,
  previous_hash text,
  successor text,
  rotated_at timestamptz(3),
  device text NOT NULL,
  address text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  last_used_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  latest_end timestamptz(3) NOT NULL,
  ended_at timestamptz(3),
  authenticated_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX sessions_user_idx ON sessions (user_id, last_used_at DESC);
CREATE INDEX sessions_expiry_idx ON sessions (expires_at);

CREATE TABLE known_devices (
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  digest text NOT NULL,
  seen_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, digest)
);
`;

/** What the links in mails to accounts allow. */
const mailTokens = `
CREATE TABLE mail_tokens (
  token_hash text PRIMARY KEY,
  user_id uuid NOT NULL,
  purpose text NOT NULL CHECK (purpose IN ('confirm', 'reset', 'undo')),
  email varchar(254) NOT NULL,
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX mail_tokens_user_idx ON mail_tokens (user_id);
CREATE INDEX mail_tokens_expiry_idx ON mail_tokens (expires_at);
CREATE INDEX mail_tokens_undo_idx ON mail_tokens (lower(email)) WHERE purpose = 'undo';
`;

/** Accounts and their credentials. */
export const accounts = [state, counters, users, sessions, mailTokens].join('');
