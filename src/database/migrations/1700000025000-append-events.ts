import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The statement by which events are appended, in one order, so that repeats of the same ones wait for each other without a
 * deadlock; and what there is to do for events that were copied. Functions, as both differ where Citus spreads the events
 * over servers, and nodes need not know: `npm run distribute` replaces them. Here a trigger counts and notes what is added.
 */
const functions = `
CREATE FUNCTION append_events(organization uuid, scan uuid, profile uuid, events json) RETURNS bigint
LANGUAGE plpgsql AS $$
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
END $$;

CREATE FUNCTION note_copied_events(organization uuid, counts json) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
END $$;
`;

export class AppendEvents1700000025000 implements MigrationInterface {
  name = 'AppendEvents1700000025000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(functions);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION append_events, note_copied_events');
  }
}
