import pg from 'pg';
import { appendFunctions } from './append-functions.statements.js';

/**
 * The tables that Citus spreads over servers, by organization: one transaction's rows for an organization are on one
 * server. The events come first, since they take longest.
 */
export const spreadTables = [
  'scan_events',
  'event_batches',
  'event_positions',
  'scan_event_counts',
  'workflow_run_payloads',
] as const;
export type SpreadTable = (typeof spreadTables)[number];

/** The facts that decide whether the tables of a database can be distributed. */
export interface Cluster {
  /** Of Citus, e.g. 13; null if the database has none. */
  version: number | null;
  isCoordinator: boolean;
  knowsCoordinator: boolean;
  /** Servers that take shards. */
  shardServers: number;
  walLevel: string;
  /** The least number of transactions that each of them can prepare at once. */
  prepared: number;
  isMigrated: boolean;
}

const cluster = `
  SELECT (SELECT split_part(extversion, '.', 1)::int FROM pg_extension WHERE extname = 'citus') AS version,
         current_setting('wal_level') AS "walLevel",
         to_regclass('workflow_run_payloads') IS NOT NULL AS "isMigrated"`;

const nodes = `
  SELECT (SELECT groupid FROM pg_dist_local_group) = 0 AS "isCoordinator",
         count(*) FILTER (WHERE groupid = 0) > 0 AS "knowsCoordinator",
         (count(*) FILTER (WHERE shouldhaveshards AND isactive AND noderole = 'primary'))::int AS "shardServers",
         (SELECT min(result::int) FROM run_command_on_all_nodes('SHOW max_prepared_transactions')
           WHERE success) AS prepared
    FROM pg_dist_node`;

const known = `SELECT logicalrelid::regclass::text AS name FROM pg_dist_partition WHERE logicalrelid = ANY($1::regclass[])`;

/**
 * Idle transactions without writes do not count, since they will call the new functions; each node that runs jobs keeps
 * one open.
 */
const older = `
  SELECT count(*)::int AS count FROM pg_stat_activity
   WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
     AND xact_start < $1 AND NOT (state = 'idle in transaction' AND backend_xid IS NULL)`;

/** Within one statement, so that it happens as a whole. */
const keyByOrganization = `
  ALTER TABLE workflow_run_payloads DROP CONSTRAINT workflow_run_payloads_run_id_fkey,
    DROP CONSTRAINT workflow_run_payloads_pkey,
    ADD CONSTRAINT workflow_run_payloads_pkey PRIMARY KEY (organization_id, run_id, root, number)`;

const keyHasOrganization = `
  SELECT EXISTS (SELECT FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY(i.indkey)
                  WHERE i.indrelid = 'workflow_run_payloads'::regclass AND i.indisprimary
                    AND a.attname = 'organization_id') AS yes`;

const bytes = `
  SELECT coalesce(sum(pg_total_relation_size(relid)), 0)::float8 AS bytes FROM pg_partition_tree($1::regclass)`;

/** The size of all copies to shards so far, which no catalog lists before the end. */
const copied = `
  SELECT coalesce(sum(result::float8), 0) AS bytes
    FROM run_command_on_workers(format($$
           SELECT coalesce(sum(pg_total_relation_size(oid)), 0) FROM pg_class
            WHERE relkind = 'r' AND relname ~ '^%s(_\\d{4}_\\d{2})?_\\d+$' $$, $1::text))
   WHERE success`;

const hasRows = (table: SpreadTable) => `SELECT EXISTS (SELECT FROM ${table}) AS yes`;

/** The reads and changes of `npm run distribute`, on a connection of its own to the coordinator. */
export class DistributionRepository {
  private constructor(private readonly client: pg.Client) {}

  static async open(url: string): Promise<DistributionRepository> {
    const client = new pg.Client({ connectionString: url, keepAlive: true });
    // The current statement throws the error of a lost connection.
    client.on('error', () => undefined);
    await client.connect();
    return new DistributionRepository(client);
  }

  close(): Promise<void> {
    return this.client.end();
  }

  async cluster(): Promise<Cluster> {
    const found = await this.one<Pick<Cluster, 'version' | 'walLevel' | 'isMigrated'>>(cluster);
    const none = { isCoordinator: false, knowsCoordinator: false, shardServers: 0, prepared: 0 };
    const rest = found.version === null ? none : await this.one<typeof none>(nodes);
    return { ...found, ...rest };
  }

  /** The tables that Citus already distributes. */
  async knownToCitus(tables: readonly string[]): Promise<string[]> {
    return (await this.client.query<{ name: string }>(known, [tables])).rows.map(({ name }) => name);
  }

  /** Replaces the triggers by functions, one organization at a time; returns the time of the replacement. */
  async replaceAppendFunctions(): Promise<Date> {
    await this.client.query(appendFunctions);
    return (await this.one<{ now: Date }>('SELECT clock_timestamp() AS now')).now;
  }

  /** The open transactions that began before a time and may have called the earlier functions. */
  async transactionsBefore(time: Date): Promise<number> {
    return (await this.one<{ count: number }>(older, [time])).count;
  }

  /** Ends the counting of appended events by the trigger. */
  async dropTrigger(): Promise<void> {
    await this.client.query('DROP TRIGGER IF EXISTS scan_events_added ON scan_events');
  }

  /** Adds the organization to the key of payloads, as Citus requires for a distributed table. */
  async keyPayloadsByOrganization(): Promise<void> {
    if ((await this.one<{ yes: boolean }>(keyHasOrganization)).yes) return;
    await this.client.query(keyByOrganization);
  }

  async hasRows(table: SpreadTable): Promise<boolean> {
    return (await this.one<{ yes: boolean }>(hasRows(table))).yes;
  }

  /** The size of a table with its indexes, in bytes. */
  async bytesOf(table: SpreadTable): Promise<number> {
    return (await this.one<{ bytes: number }>(bytes, [table])).bytes;
  }

  /** The bytes on the servers of a table that is being spread. */
  async bytesCopied(table: SpreadTable): Promise<number> {
    return (await this.one<{ bytes: number }>(copied, [table])).bytes;
  }

  /**
   * Distributes a table by organization. With `meanwhile`, others read and write it during that time, which a table
   * with rows needs.
   */
  async spread(table: SpreadTable, shards: number, meanwhile: boolean): Promise<void> {
    const how = meanwhile ? 'create_distributed_table_concurrently' : 'create_distributed_table';
    await this.client.query(`SELECT ${how}($1::regclass, 'organization_id', shard_count => $2::int)`, [table, shards]);
  }

  private async one<Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []): Promise<Row> {
    const [row] = (await this.client.query<Row>(sql, values)).rows;
    if (!row) throw new Error('A row was expected');
    return row;
  }
}
