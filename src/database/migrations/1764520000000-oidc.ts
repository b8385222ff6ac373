import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sign-in by OpenID Connect: links of accounts, what is under way, and the sessions that the provider may end. */
export class Oidc1764520000000 implements MigrationInterface {
  name = 'Oidc1764520000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE users ADD COLUMN role_source text NOT NULL DEFAULT 'default'
        CONSTRAINT users_role_source_check CHECK (role_source IN ('default', 'hand', 'groups'))`,
    );
    await runner.query(
      `CREATE TABLE oidc_identities (
        id uuid CONSTRAINT oidc_identities_pkey PRIMARY KEY,
        user_id uuid NOT NULL CONSTRAINT oidc_identities_user_id_fkey REFERENCES users ON DELETE CASCADE,
        issuer varchar(500) NOT NULL,
        subject varchar(255) NOT NULL,
        name varchar(255),
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        last_used_at timestamptz(3) NOT NULL DEFAULT now()
      )`,
    );
    await runner.query('CREATE UNIQUE INDEX oidc_identities_subject_key ON oidc_identities (issuer, subject)');
    await runner.query('CREATE UNIQUE INDEX oidc_identities_user_key ON oidc_identities (user_id, issuer)');
    await runner.query(
      `CREATE TABLE oidc_logins (
        token_hash text CONSTRAINT oidc_logins_pkey PRIMARY KEY,
        purpose text NOT NULL,
        user_id uuid CONSTRAINT oidc_logins_user_id_fkey REFERENCES users ON DELETE CASCADE,
        device_code text,
        poll_seconds integer,
        next_poll_at timestamptz(3),
        expires_at timestamptz(3) NOT NULL
      )`,
    );
    await runner.query('CREATE INDEX oidc_logins_expiry_idx ON oidc_logins (expires_at)');
    await runner.query('CREATE INDEX oidc_logins_user_idx ON oidc_logins (user_id)');
    await runner.query(
      `CREATE TABLE oidc_sessions (
        session_id uuid CONSTRAINT oidc_sessions_pkey PRIMARY KEY
          CONSTRAINT oidc_sessions_session_id_fkey REFERENCES sessions ON DELETE CASCADE,
        identity_id uuid NOT NULL
          CONSTRAINT oidc_sessions_identity_id_fkey REFERENCES oidc_identities ON DELETE CASCADE,
        sid varchar(255)
      )`,
    );
    await runner.query('CREATE INDEX oidc_sessions_identity_idx ON oidc_sessions (identity_id)');
    await runner.query('CREATE INDEX oidc_sessions_sid_idx ON oidc_sessions (sid)');
    await runner.query(
      `CREATE TABLE oidc_logout_tokens (
        digest text CONSTRAINT oidc_logout_tokens_pkey PRIMARY KEY,
        expires_at timestamptz(3) NOT NULL
      )`,
    );
    await runner.query('CREATE INDEX oidc_logout_tokens_expiry_idx ON oidc_logout_tokens (expires_at)');
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only add: restore a backup of before instead'));
  }
}
