import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The number of events by hour (in UTC) and level, kept by each statement that adds events, in its transaction. Each
 * connection has rows of its own, so that no two transactions wait for each other, however long they are; a job merges
 * them into those of backend 0.
 */
const counts = `
CREATE TABLE scan_event_counts (
  organization_id uuid NOT NULL,
  hour timestamptz(3) NOT NULL,
  level text NOT NULL,
  backend integer NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (organization_id, hour, level, backend)
) WITH (fillfactor = 70);

CREATE FUNCTION count_added_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO scan_event_counts AS c (organization_id, hour, level, backend, count)
  SELECT organization_id, date_bin('1 hour', created_at, '2000-01-01 00:00Z'), level, pg_backend_pid(), count(*)
    FROM added GROUP BY 1, 2, 3
  ON CONFLICT (organization_id, hour, level, backend) DO UPDATE SET count = c.count + excluded.count;
  RETURN NULL;
END $$;

CREATE TRIGGER scan_events_added AFTER INSERT ON scan_events
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added_events();
`;

// After the trigger, which waits for appends and lets none begin before the end of the migration.
const fill = `
INSERT INTO scan_event_counts (organization_id, hour, level, backend, count)
SELECT organization_id, date_bin('1 hour', created_at, '2000-01-01 00:00Z'), level, 0, count(*)
  FROM scan_events GROUP BY 1, 2, 3
`;

export class EventCounts1700000020000 implements MigrationInterface {
  name = 'EventCounts1700000020000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(counts);
    await runner.query(fill);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP TRIGGER scan_events_added ON scan_events; DROP FUNCTION count_added_events; DROP TABLE scan_event_counts',
    );
  }
}
