import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What report a scan was made of, which tells what its next report no longer has. Scans from before have none. */
const reports = `
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
`;

/** The answers to imports with an Idempotency-Key. */
const keys = `
CREATE TABLE import_keys (
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  key text NOT NULL,
  request_hash text NOT NULL,
  response json NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, key)
);
CREATE INDEX import_keys_age_idx ON import_keys (created_at);
`;

export class ImportGate1700000017000 implements MigrationInterface {
  name = 'ImportGate1700000017000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(reports);
    await runner.query(keys);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE import_keys');
    await runner.query('DROP TABLE scan_reports');
  }
}
