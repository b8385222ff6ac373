import type { MigrationInterface, QueryRunner } from 'typeorm';
import { indexMeanwhile } from './indexes-meanwhile.js';

/**
 * A change of a scan is noted among what arrives, as an append of events is: so one cursor tells how far both were
 * followed. The scan names the transaction that changed it last. Taken from a table, what is noted commits in two phases
 * where Citus keeps it on another server, as appends do.
 */
const changes = `
ALTER TABLE scans ADD COLUMN IF NOT EXISTS changed_in bigint, ADD COLUMN IF NOT EXISTS changed_at timestamptz;

CREATE OR REPLACE FUNCTION note_changed_scan() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.changed_in := pg_current_xact_id()::text::bigint;
  NEW.changed_at := now();
  INSERT INTO event_batches (organization_id, arrived, appended_at)
  SELECT id, pg_current_xact_id(), NEW.changed_at FROM organizations WHERE id = NEW.organization_id
  ON CONFLICT DO NOTHING;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER scans_changed BEFORE INSERT OR UPDATE OF status, progress_ratio ON scans
  FOR EACH ROW EXECUTE FUNCTION note_changed_scan();
`;

export class ScanChanges1700000028000 implements MigrationInterface {
  name = 'ScanChanges1700000028000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(changes);
    await indexMeanwhile(runner, 'scans', 'scans_changed_idx', 'organization_id, changed_in');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER scans_changed ON scans;
      DROP FUNCTION note_changed_scan;
      ALTER TABLE scans DROP COLUMN changed_in, DROP COLUMN changed_at`);
  }
}
