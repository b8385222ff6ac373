/**
 * Events have no foreign keys in either direction, so that a month's partition can be attached and dropped by itself.
 * An event's id contains its `created_at`, so the primary key keeps ids unique and serves the newest-first list.
 * `arrived` is the transaction that wrote the event, and `appended_at` the time at which it began.
 *
 * Lists by scan and by profile begin with the organization, which every statement names: it leads to the one server
 * that has the events where Citus spreads them. Most events have one asset, and an index has those in order; events of
 * several assets are in a GIN index, which is slower to write and unordered.
 */
const rows = `
CREATE TABLE scan_events (
  id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL,
  organization_id uuid NOT NULL,
  scan_id uuid NOT NULL,
  profile_id uuid NOT NULL,
  level text NOT NULL,
  stage text NOT NULL,
  title text NOT NULL,
  description text NOT NULL,
  asset_ids uuid[] NOT NULL,
  issue_ids uuid[] NOT NULL,
  attachments json NOT NULL,
  attachment_types text[] NOT NULL,
  attachment_text text NOT NULL,
  arrived xid8 NOT NULL DEFAULT pg_current_xact_id(),
  appended_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, created_at, id)
) PARTITION BY RANGE (created_at);
CREATE INDEX scan_events_of_scan_idx ON scan_events (organization_id, scan_id, created_at DESC, id DESC);
CREATE INDEX scan_events_of_profile_idx ON scan_events (organization_id, profile_id, created_at DESC, id DESC);
CREATE INDEX scan_events_kind_idx ON scan_events (organization_id, level, stage, id);
CREATE INDEX scan_events_attached_idx ON scan_events (organization_id, created_at DESC, id DESC)
  WHERE attachment_types <> '{}';
CREATE INDEX scan_events_exchange_idx ON scan_events (organization_id, created_at DESC, id DESC)
  WHERE attachment_types @> '{EXCHANGE}';
CREATE INDEX scan_events_snippet_idx ON scan_events (organization_id, created_at DESC, id DESC)
  WHERE attachment_types @> '{SNIPPET}';
CREATE INDEX scan_events_screenshot_idx ON scan_events (organization_id, created_at DESC, id DESC)
  WHERE attachment_types @> '{SCREENSHOT}';
CREATE INDEX scan_events_arrived_idx ON scan_events (organization_id, arrived, id);
CREATE INDEX scan_events_first_asset_idx ON scan_events (organization_id, (asset_ids[1]), created_at DESC, id DESC);
CREATE INDEX scan_events_further_assets_idx ON scan_events USING gin (asset_ids) WHERE cardinality(asset_ids) > 1;
CREATE INDEX scan_events_many_assets_idx ON scan_events (organization_id, created_at DESC, id DESC)
  WHERE cardinality(asset_ids) > 1;
CREATE INDEX scan_events_issues_idx ON scan_events USING gin (issue_ids);
CREATE INDEX scan_events_text_idx ON scan_events
  USING gin ((title || chr(10) || description || chr(10) || attachment_text) gin_trgm_ops);
`;

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
`;

/**
 * One row for each transaction that appended events of an organization. Followers read in the order of its number,
 * which is assigned later: docs/decisions/2026-11-23-event-arrivals.md. Transaction and time together identify it
 * permanently on every server: transaction ids alone repeat after a restore from a dump or the move of a shard.
 */
const batches = `
CREATE TABLE event_batches (
  organization_id uuid NOT NULL,
  arrived xid8 NOT NULL,
  appended_at timestamptz NOT NULL,
  number bigint,
  PRIMARY KEY (organization_id, arrived, appended_at)
);
CREATE UNIQUE INDEX event_batches_number_idx ON event_batches (organization_id, number) WHERE number IS NOT NULL;
CREATE INDEX event_batches_new_idx ON event_batches (organization_id, appended_at, arrived) WHERE number IS NULL;

CREATE TABLE event_positions (
  organization_id uuid NOT NULL,
  last bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id)
) WITH (fillfactor = 50);
`;

/**
 * Numbers at most the given number of batches, and returns how many it numbered. It locks the row of an organization
 * until the commit, so that numbers become visible in their order, and reads the batches only after it has the lock,
 * since an earlier read would miss numbers that were assigned meanwhile. A number is the time in microseconds, or the
 * last number plus one: if the last numbers were lost with a primary, later ones are still larger.
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

/**
 * The statement by which events are appended, in one order, so that repeats of the same ones wait for each other without a
 * deadlock. A trigger counts and notes what it adds. COPY writes into a month's own partition, which has no such trigger: what
 * it wrote is counted by a call. Both are functions, as appends differ where Citus spreads the events over servers, and
 * nodes need not know: `npm run distribute` replaces them.
 */
const appending = `
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

CREATE FUNCTION count_added_events() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE TRIGGER scan_events_added AFTER INSERT ON scan_events
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added_events();

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

/**
 * A change of a scan is recorded as an arrival, like an append of events, so that one cursor covers both. The scan
 * names the transaction that changed it last. The record is inserted from a table, so that it commits in two phases if
 * Citus keeps it on another server, as appends do.
 */
const scanChanges = `
CREATE FUNCTION note_changed_scan() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.changed_in := pg_current_xact_id()::text::bigint;
  NEW.changed_at := now();
  INSERT INTO event_batches (organization_id, arrived, appended_at)
  SELECT id, pg_current_xact_id(), NEW.changed_at FROM organizations WHERE id = NEW.organization_id
  ON CONFLICT DO NOTHING;
  RETURN NEW;
END $$;
CREATE TRIGGER scans_changed BEFORE INSERT OR UPDATE OF status, progress_ratio ON scans
  FOR EACH ROW EXECUTE FUNCTION note_changed_scan();
`;

/** The events of scans, and the order in which they arrived. */
export const events = [rows, counts, batches, numbering, appending, scanChanges].join('');
