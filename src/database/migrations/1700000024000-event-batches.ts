import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * One row for each transaction that appended events of an organization, and the number by which followers go, which is
 * given later: docs/decisions/2026-11-23-event-arrivals.md. Transaction and time together name it for ever, whatever
 * server it is on: transaction ids alone come again where a database was restored from a dump, or a shard moved.
 */
const tables = `
ALTER TABLE scan_events ADD COLUMN appended_at timestamptz NOT NULL DEFAULT now();

CREATE TABLE event_batches (
  organization_id uuid NOT NULL,
  arrived xid8 NOT NULL,
  appended_at timestamptz NOT NULL,
  number bigint,
  CONSTRAINT event_batches_pkey PRIMARY KEY (organization_id, arrived, appended_at)
);
CREATE UNIQUE INDEX event_batches_number_idx ON event_batches (organization_id, number) WHERE number IS NOT NULL;
CREATE INDEX event_batches_new_idx ON event_batches (organization_id, appended_at, arrived) WHERE number IS NULL;

CREATE TABLE event_positions (
  organization_id uuid NOT NULL,
  last bigint NOT NULL DEFAULT 0,
  CONSTRAINT event_positions_pkey PRIMARY KEY (organization_id)
) WITH (fillfactor = 50);
`;

/**
 * Numbers batches of organizations, at most so many, and returns how many it did. Whoever numbers those of an organization
 * holds its row until the commit, so that numbers become visible in their order; the batches are looked at once it does, as
 * an earlier look would not show what was numbered meanwhile. A number is the time in microseconds, or the next one after
 * the last: where the last ones were lost with a primary, those given later are larger than they were.
 */
const numbering = `
CREATE FUNCTION number_event_batches(organizations uuid[], most integer) RETURNS integer LANGUAGE plpgsql AS $$
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
END $$;
`;

const trigger = `
CREATE OR REPLACE FUNCTION count_added_events() RETURNS trigger LANGUAGE plpgsql AS $$
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
END $$;
`;

const formerTrigger = `
CREATE OR REPLACE FUNCTION count_added_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO scan_event_counts AS c (organization_id, hour, level, backend, count)
  SELECT organization_id, date_bin('1 hour', created_at, '2000-01-01 00:00Z'), level, pg_backend_pid(), count(*)
    FROM added GROUP BY 1, 2, 3
  ON CONFLICT (organization_id, hour, level, backend) DO UPDATE SET count = c.count + excluded.count;
  RETURN NULL;
END $$;
`;

export class EventBatches1700000024000 implements MigrationInterface {
  name = 'EventBatches1700000024000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(tables);
    await runner.query(numbering);
    await runner.query(trigger);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(formerTrigger);
    await runner.query(
      'DROP FUNCTION number_event_batches; DROP TABLE event_batches; DROP TABLE event_positions; ALTER TABLE scan_events DROP COLUMN appended_at',
    );
  }
}
