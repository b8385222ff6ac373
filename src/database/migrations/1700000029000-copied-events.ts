import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What there is to do for events that were copied into a month's own partition, where the trigger of the whole table does not
 * see them: COPY writes rows many at a time into a table that has no such trigger.
 */
const countCopied = `
CREATE FUNCTION count_copied_events(organization uuid, counts json) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO scan_event_counts AS c (organization_id, hour, level, backend, count)
  SELECT organization, a.hour, a.level, pg_backend_pid(), a.count
    FROM json_to_recordset(counts) AS a(hour timestamptz, level text, count bigint)
  ON CONFLICT (organization_id, hour, level, backend) DO UPDATE SET count = c.count + excluded.count;
  INSERT INTO event_batches (organization_id, arrived, appended_at) VALUES (organization, pg_current_xact_id(), now())
  ON CONFLICT DO NOTHING;
END $$;
`;

export class CopiedEvents1700000029000 implements MigrationInterface {
  name = 'CopiedEvents1700000029000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(countCopied);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION count_copied_events');
  }
}
