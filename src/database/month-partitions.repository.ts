import { Injectable } from '@nestjs/common';
import { Database } from './database.js';
import type { Month } from './months.js';

/** An arbitrary number, used only for this lock. */
const partitionsLock = 5_284_113_002;

/** The monthly partitions of a table. Names of tables are the service's own, never a caller's. */
@Injectable()
export class MonthPartitionsRepository {
  constructor(private readonly database: Database) {}

  /** The names of all partitions. */
  async names(table: string): Promise<string[]> {
    const rows = await this.database.rows<{ name: string }>(
      `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
        WHERE i.inhparent = $1::regclass`,
      [table],
    );
    return rows.map(({ name }) => name);
  }

  /** Lets one node at a time create partitions, until its unit of work ends. */
  async lock(): Promise<void> {
    await this.database.execute('SELECT pg_advisory_xact_lock($1)', [partitionsLock]);
  }

  /** Creates a month's partition. A table that is attached afterwards blocks no readers or writers. */
  async create(table: string, { name, from, to }: Month): Promise<void> {
    await this.database.execute(`CREATE TABLE ${name} (LIKE ${table} INCLUDING DEFAULTS)`);
    await this.database.execute(
      `ALTER TABLE ${table} ATTACH PARTITION ${name}
         FOR VALUES FROM ('${from.toISOString()}') TO ('${to.toISOString()}')`,
    );
  }

  /** Refuses to truncate a partition by a trigger function; triggers for rows come from the table itself. */
  async refuseTruncation({ name }: Month, triggerFunction: string): Promise<void> {
    await this.database.execute(
      `CREATE TRIGGER ${name}_truncation BEFORE TRUNCATE ON ${name} EXECUTE FUNCTION ${triggerFunction}()`,
    );
  }

  /** Drops a month with all its rows; fails rather than make readers wait for long. */
  async drop({ name }: Month): Promise<void> {
    await this.database.execute(`SET LOCAL lock_timeout = '2s'`);
    await this.database.execute(`DROP TABLE IF EXISTS ${name}`);
  }
}
