/**
 * The replacements for the schema's functions where events are spread over servers. Distributed tables have no
 * triggers, so the appending transaction counts its events and records itself on their server; until the trigger is
 * removed, the trigger does that. Organizations are numbered one at a time, since each is on one server.
 */
export const appendFunctions = `
CREATE OR REPLACE FUNCTION append_events(organization uuid, scan uuid, profile uuid, events json) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  own_transaction xid8 := pg_current_xact_id();
  counts json;
  total bigint;
BEGIN
  WITH added AS (
    INSERT INTO scan_events (organization_id, scan_id, profile_id, id, created_at, level, stage, title, description,
                             asset_ids, issue_ids, attachments, attachment_types, attachment_text, arrived, appended_at)
    SELECT organization, scan, profile, e.id, e.created_at, e.level, e.stage, e.title, e.description,
           e.asset_ids, e.issue_ids, e.attachments, e.attachment_types, e.attachment_text, own_transaction, now()
      FROM json_to_recordset(events) AS e(
             id uuid, created_at timestamptz, level text, stage text, title text, description text, asset_ids uuid[],
             issue_ids uuid[], attachments json, attachment_types text[], attachment_text text)
     ORDER BY e.id, e.created_at
    ON CONFLICT DO NOTHING
    RETURNING created_at, level
  ), counted AS (
    SELECT date_bin('1 hour', created_at, '2000-01-01 00:00Z') AS hour, level, count(*) AS count FROM added GROUP BY 1, 2
  )
  SELECT json_agg(counted), coalesce(sum(count), 0) INTO counts, total FROM counted;
  IF total > 0 AND NOT EXISTS (
    SELECT FROM pg_trigger WHERE tgrelid = 'scan_events'::regclass AND tgname = 'scan_events_added') THEN
    PERFORM count_copied_events(organization, counts);
  END IF;
  RETURN total;
END $$;

CREATE OR REPLACE FUNCTION number_event_batches(organizations uuid[], most integer) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
  organization uuid;
  before bigint;
  numbered integer;
  done integer := 0;
BEGIN
  FOR organization IN SELECT id FROM unnest(organizations) AS id ORDER BY id LOOP
    INSERT INTO event_positions (organization_id) VALUES (organization) ON CONFLICT DO NOTHING;
    SELECT last INTO before FROM event_positions WHERE organization_id = organization FOR UPDATE;
    before := greatest(before, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint);
    UPDATE event_batches b SET number = before + taken.place
      FROM (SELECT arrived, appended_at, row_number() OVER (ORDER BY appended_at, arrived) AS place
              FROM event_batches WHERE organization_id = organization AND number IS NULL
             ORDER BY appended_at, arrived LIMIT most - done) AS taken
     WHERE b.organization_id = organization AND b.arrived = taken.arrived AND b.appended_at = taken.appended_at;
    GET DIAGNOSTICS numbered = ROW_COUNT;
    IF numbered > 0 THEN
      UPDATE event_positions SET last = before + numbered WHERE organization_id = organization;
    END IF;
    done := done + numbered;
    EXIT WHEN done >= most;
  END LOOP;
  RETURN done;
END $$;
`;
