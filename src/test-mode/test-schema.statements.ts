/** The schemas of test mode, which exist in the database of an ephemeral service alone. */
export const seeds = ['empty', 'demo'] as const;
/** Whether it is one of the service's own, rather than a file of rows. */
export const isSeed = (name: string): boolean => (seeds as readonly string[]).includes(name);

/** The functions that tell the time, and whether each stays the same within a transaction or a statement. */
const timeFunctions = {
  now: 'STABLE',
  transaction_timestamp: 'STABLE',
  statement_timestamp: 'STABLE',
  clock_timestamp: 'VOLATILE',
};

const makeTimeFunctions = Object.entries(timeFunctions).map(
  ([name, kind]) => `
  CREATE FUNCTION test_mode.${name}() RETURNS timestamptz LANGUAGE sql ${kind} PARALLEL SAFE
    AS 'SELECT pg_catalog.${name}() + shift FROM test_mode.clock'`,
);

/** Defaults were bound to PostgreSQL's own function when their tables were made. */
const shiftDefaults = `
  DO $do$
  DECLARE one record;
  BEGIN
    FOR one IN
      SELECT d.adrelid::regclass AS place, a.attname AS name, pg_get_expr(d.adbin, d.adrelid) AS expression
        FROM pg_attrdef d JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
        JOIN pg_class c ON c.oid = d.adrelid
       WHERE c.relnamespace IN ('public'::regnamespace, 'graphile_worker'::regnamespace) AND a.attgenerated = ''
         AND pg_get_expr(d.adbin, d.adrelid) ~ '\\mnow\\(\\)|CURRENT_TIMESTAMP'
    LOOP
      EXECUTE format('ALTER TABLE %s ALTER COLUMN %I SET DEFAULT %s', one.place, one.name,
        regexp_replace(one.expression, '\\mnow\\(\\)|CURRENT_TIMESTAMP', 'test_mode.now()', 'g'));
    END LOOP;
  END $do$`;

/** TypeORM writes when a row changed as CURRENT_TIMESTAMP, a word of the language, which no function of ours takes the place of. */
const shiftUpdates = [
  `CREATE FUNCTION test_mode.touch() RETURNS trigger LANGUAGE plpgsql AS $f$
   BEGIN
     IF NEW.updated_at = pg_catalog.now()::timestamptz(3) THEN NEW.updated_at := test_mode.now(); END IF;
     RETURN NEW;
   END $f$`,
  `DO $do$
   DECLARE place regclass;
   BEGIN
     FOR place IN SELECT attrelid FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
       WHERE attname = 'updated_at' AND relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace
     LOOP
       EXECUTE format('CREATE TRIGGER touch BEFORE UPDATE ON %s FOR EACH ROW EXECUTE FUNCTION test_mode.touch()', place);
     END LOOP;
   END $do$`,
];

/**
 * The tables whose rows a reset puts back. The queue's tasks stay, since workers know their ids; migrations stay, since the
 * tables do.
 */
const tables = `
  CREATE VIEW test_mode.tables AS
  SELECT c.oid::regclass AS place, c.relname AS name,
         (SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute
           WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = '') AS columns
    FROM pg_class c
   WHERE c.relkind = 'r'
     AND (c.relnamespace = 'public'::regnamespace AND c.relname <> 'migrations'
          OR c.relnamespace = 'graphile_worker'::regnamespace AND c.relname IN ('_private_jobs', '_private_job_queues'))`;

/** Keeps the rows and the sequences as they are now under the name of a seed. */
const keep = `
  CREATE FUNCTION test_mode.keep(seed text) RETURNS void LANGUAGE plpgsql AS $f$
  DECLARE one record;
  DECLARE found bigint;
  BEGIN
    EXECUTE format('CREATE SCHEMA %I', 'seed_' || seed);
    EXECUTE format('CREATE UNLOGGED TABLE %I.counts
      (name text PRIMARY KEY, rows bigint NOT NULL, parent text, bound text, triggers text[])', 'seed_' || seed);
    FOR one IN SELECT * FROM test_mode.tables LOOP
      EXECUTE format('CREATE UNLOGGED TABLE %I.%I AS SELECT %s FROM %s', 'seed_' || seed, 'rows_' || one.name, one.columns, one.place);
      GET DIAGNOSTICS found = ROW_COUNT;
      EXECUTE format('INSERT INTO %I.counts
        SELECT $1, $2, (SELECT inhparent::regclass FROM pg_inherits WHERE inhrelid = c.oid), pg_get_expr(relpartbound, oid),
               ARRAY(SELECT pg_get_triggerdef(oid) FROM pg_trigger
                      WHERE tgrelid = c.oid AND NOT tgisinternal AND tgparentid = 0)
          FROM pg_class c WHERE oid = $3', 'seed_' || seed) USING one.name, found, one.place;
    END LOOP;
    EXECUTE format('CREATE UNLOGGED TABLE %I.sequences AS
      SELECT format(''%%I.%%I'', schemaname, sequencename) AS name, start_value, last_value
        FROM pg_sequences WHERE schemaname = ''public''', 'seed_' || seed);
    UPDATE test_mode.mark
       SET kept = seed, own = pg_current_xact_id(), horizon = pg_snapshot_xmin(pg_current_snapshot());
  END $f$`;

/**
 * Makes the months again that were dropped, and puts the rows of a seed back into each table that is not as it was: where the number of rows differs, or a row is not of
 * the last reset. Others write nothing meanwhile: the tables are locked, in one order. Returns how many were put back.
 */
const restore = `
  CREATE FUNCTION test_mode.restore(seed text) RETURNS integer LANGUAGE plpgsql AS $f$
  DECLARE one record;
  DECLARE mark test_mode.mark;
  DECLARE kept bigint;
  DECLARE is_other boolean;
  DECLARE trigger text;
  DECLARE restored integer := 0;
  BEGIN
    PERFORM set_config('session_replication_role', 'replica', true), set_config('enable_seqscan', 'on', true),
            set_config('lock_timeout', '400ms', true);
    FOR one IN EXECUTE format('SELECT * FROM %I.counts WHERE parent IS NOT NULL AND to_regclass(name) IS NULL', 'seed_' || seed)
    LOOP
      EXECUTE format('CREATE TABLE %I (LIKE %s INCLUDING DEFAULTS)', one.name, one.parent);
      EXECUTE format('ALTER TABLE %s ATTACH PARTITION %I %s', one.parent, one.name, one.bound);
      FOREACH trigger IN ARRAY one.triggers LOOP EXECUTE trigger; END LOOP;
    END LOOP;
    FOR one IN SELECT place FROM test_mode.tables ORDER BY name LOOP
      EXECUTE format('LOCK TABLE %s IN SHARE ROW EXCLUSIVE MODE', one.place);
    END LOOP;
    SELECT * INTO mark FROM test_mode.mark;
    FOR one IN SELECT * FROM test_mode.tables ORDER BY name LOOP
      EXECUTE format('SELECT rows FROM %I.counts WHERE name = $1', 'seed_' || seed) INTO kept USING one.name;
      is_other := mark.kept <> seed;
      IF NOT is_other THEN
        EXECUTE format('SELECT count(*) <> $1 OR coalesce(bool_or(xmin::text::bigint >= $2 AND xmin::text::bigint <> $3), false)
                          FROM %s', one.place)
          INTO is_other USING coalesce(kept, 0), mark.horizon::text::bigint, mark.own::text::bigint;
      END IF;
      CONTINUE WHEN NOT is_other;
      EXECUTE format('DELETE FROM %s', one.place);
      IF kept > 0 THEN
        EXECUTE format('INSERT INTO %s (%s) OVERRIDING SYSTEM VALUE SELECT %s FROM %I.%I',
          one.place, one.columns, one.columns, 'seed_' || seed, 'rows_' || one.name);
      END IF;
      restored := restored + 1;
    END LOOP;
    EXECUTE format('SELECT setval(name::regclass, coalesce(last_value, start_value), last_value IS NOT NULL) FROM %I.sequences',
      'seed_' || seed);
    UPDATE test_mode.clock SET shift = '0';
    UPDATE test_mode.mark
       SET kept = seed, own = pg_current_xact_id(), horizon = pg_snapshot_xmin(pg_current_snapshot());
    RETURN restored;
  END $f$`;

/**
 * Gives the database a clock that can be turned, and functions that keep and restore seeds. New connections look for
 * functions in \`test_mode\` before PostgreSQL's own; tables are made in \`public\`, as ever.
 */
export const makeTestSchema = [
  // A database of DATABASE_URL has it already, as the mark of an ephemeral service.
  'CREATE SCHEMA IF NOT EXISTS test_mode',
  'CREATE TABLE test_mode.clock (shift interval NOT NULL)',
  `INSERT INTO test_mode.clock VALUES ('0')`,
  'CREATE TABLE test_mode.mark (kept text, own xid8, horizon xid8)',
  'INSERT INTO test_mode.mark DEFAULT VALUES',
  ...makeTimeFunctions,
  shiftDefaults,
  ...shiftUpdates,
  tables,
  keep,
  restore,
];

export const searchInTestSchema = (database: string): string =>
  `ALTER DATABASE ${database} SET search_path = public, test_mode, pg_catalog`;

export const keepSeed = 'SELECT test_mode.keep($1)';
/** Names of seeds are of letters and digits, and quoted here all the same. */
export const dropSeed = (seed: string): string => `DROP SCHEMA "seed_${seed.replaceAll('"', '')}" CASCADE`;
export const restoreSeed = 'SELECT test_mode.restore($1) AS restored';
/** In milliseconds. */
export const setShift = `UPDATE test_mode.clock SET shift = $1 * interval '1 millisecond'`;

/** The time of the recurring jobs $1 is $2 at the latest: those planned in a future that was left would not run for long. */
export const planAtLatest = `
  UPDATE graphile_worker._private_jobs j SET run_at = least(j.run_at, p.at)
    FROM unnest($1::text[], $2::timestamptz[]) AS p (key, at) WHERE j.key = p.key AND j.locked_at IS NULL`;

/** The jobs of a task that are due, and those that a worker has. */
export interface OpenJobs {
  task: string;
  waiting: number;
  in_hand: number;
  /** Why the newest of those that were tried before failed. */
  last_error: string | null;
}

export const openJobs = `
  SELECT task_identifier AS task, count(*) FILTER (WHERE locked_at IS NULL)::integer AS waiting,
         count(*) FILTER (WHERE locked_at IS NOT NULL)::integer AS in_hand,
         (array_agg(last_error ORDER BY updated_at DESC) FILTER (WHERE last_error IS NOT NULL))[1] AS last_error
    FROM graphile_worker.jobs WHERE attempts < max_attempts AND (locked_at IS NOT NULL OR run_at <= now())
   GROUP BY task_identifier ORDER BY task_identifier`;
