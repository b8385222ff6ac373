import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sessions: one family of refresh tokens a login, of which the database holds digests alone. */
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
  ended_at timestamptz(3)
);
CREATE INDEX sessions_user_idx ON sessions (user_id, last_used_at DESC);
CREATE INDEX sessions_expiry_idx ON sessions (expires_at);
`;

/** Devices that an account was signed in on, so that its owner is told of a new one. */
const devices = `
CREATE TABLE known_devices (
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  digest text NOT NULL,
  seen_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, digest)
);
`;

export class Sessions1700000010000 implements MigrationInterface {
  name = 'Sessions1700000010000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(sessions);
    await runner.query(devices);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE known_devices');
    await runner.query('DROP TABLE sessions');
  }
}
