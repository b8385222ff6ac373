import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The backups that the service made by itself, and those that failed. `awaited` notes when it first looked at the schedule. */
const backups = `
CREATE TABLE backups (
  id uuid CONSTRAINT backups_pkey PRIMARY KEY,
  begun_at timestamptz(3) NOT NULL DEFAULT now(),
  ended_at timestamptz(3),
  outcome text NOT NULL CONSTRAINT backups_outcome_check
    CHECK (outcome IN ('awaited', 'running', 'interrupted', 'kept', 'failed')),
  name text,
  bytes bigint,
  reason text
)`;

export class Backups1764430000000 implements MigrationInterface {
  name = 'Backups1764430000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(backups);
    await runner.query('CREATE INDEX backups_newest_idx ON backups (begun_at DESC)');
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only add: restore a backup of before instead'));
  }
}
