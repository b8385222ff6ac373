/** An arbitrary number that no other lock has. */
const ephemeralLock = 5_284_113_004;

/** Held as long as the session lasts: the server gives it back when the process is killed. */
export const holdDatabase = `SELECT pg_try_advisory_lock(${ephemeralLock}) AS taken`;

/** Begins the comment on the schema of test mode where an ephemeral service has made it in a database of somebody's. */
export const claimMark = 'store-service --ephemeral, beside the extensions ';

/** The comment on the schema of test mode; null where there is none. */
export const markOfClaim = `SELECT obj_description(to_regnamespace('test_mode'), 'pg_namespace') AS mark`;

export const extensions = 'SELECT extname AS name FROM pg_extension ORDER BY 1';

export const makeClaim = 'CREATE SCHEMA test_mode';
export const markClaim = (literal: string): string => `COMMENT ON SCHEMA test_mode IS ${literal}`;

const ofNoExtension = (catalog: string, oid: string): string =>
  `NOT EXISTS (SELECT FROM pg_depend WHERE classid = '${catalog}'::regclass AND objid = ${oid} AND deptype = 'e')`;

/** What a database holds beside what every new one does, and what extensions have made. */
const objects = `
  SELECT 1 AS place, 'SCHEMA' AS kind, quote_ident(nspname) AS name FROM pg_namespace n
   WHERE nspname NOT IN ('public', 'information_schema') AND nspname !~ '^pg_' AND ${ofNoExtension('pg_namespace', 'n.oid')}
   UNION ALL
  SELECT 2, CASE relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' WHEN 'S' THEN 'SEQUENCE'
                         WHEN 'f' THEN 'FOREIGN TABLE' WHEN 'c' THEN 'TYPE' ELSE 'TABLE' END,
         format('public.%I', relname)
    FROM pg_class c
   WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'S', 'f', 'c')
     AND ${ofNoExtension('pg_class', 'c.oid')}
   UNION ALL
  SELECT 3, 'ROUTINE', format('public.%I(%s)', proname, pg_get_function_identity_arguments(oid)) FROM pg_proc p
   WHERE pronamespace = 'public'::regnamespace AND ${ofNoExtension('pg_proc', 'p.oid')}
   UNION ALL
  SELECT 4, 'TYPE', format('public.%I', typname) FROM pg_type t
   WHERE typnamespace = 'public'::regnamespace AND typtype IN ('e', 'd') AND ${ofNoExtension('pg_type', 't.oid')}
   UNION ALL
  SELECT 5, 'COLLATION', format('public.%I', collname) FROM pg_collation l
   WHERE collnamespace = 'public'::regnamespace AND ${ofNoExtension('pg_collation', 'l.oid')}
   UNION ALL
  SELECT 6, 'TEXT SEARCH CONFIGURATION', format('public.%I', cfgname) FROM pg_ts_config s
   WHERE cfgnamespace = 'public'::regnamespace AND ${ofNoExtension('pg_ts_config', 's.oid')}`;

/** Something that a database holds, in words; a search path of its own counts, since test mode sets another. */
export const firstThing = `
  SELECT what FROM (
    SELECT place, lower(kind) || ' ' || name AS what FROM (${objects}) AS o
     UNION ALL
    SELECT 7, 'a setting of its own, search_path' FROM pg_db_role_setting
     WHERE setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())
       AND EXISTS (SELECT FROM unnest(setconfig) AS one WHERE one LIKE 'search_path=%')
  ) AS things ORDER BY place, what LIMIT 1`;

/** Whether the role may do what resets take. */
export const mayReset = `
  SELECT current_user AS role,
         has_parameter_privilege('session_replication_role', 'SET') AS "maySet",
         pg_has_role(datdba, 'MEMBER') AS owns
    FROM pg_database WHERE datname = current_database()`;

/** What removes everything but the mark, one thing after the other: all at once would take more locks than a server has. */
export const removals = `
  SELECT format('DROP %s IF EXISTS %s CASCADE', kind, name) AS sql FROM (${objects}) AS o
   WHERE NOT (kind = 'SCHEMA' AND name = 'test_mode') ORDER BY place, name`;

export const dropExtension = (name: string): string => `DROP EXTENSION IF EXISTS ${name} CASCADE`;
export const resetSearchPath = (database: string): string => `ALTER DATABASE ${database} RESET search_path`;
export const dropClaim = 'DROP SCHEMA IF EXISTS test_mode CASCADE';
