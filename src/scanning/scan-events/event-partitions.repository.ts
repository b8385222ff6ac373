import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { EventMonth } from './event-months.js';

/** An arbitrary number, used for this lock alone. */
const partitionsLock = 5_284_113_002;

@Injectable()
export class EventPartitionsRepository {
  constructor(private readonly database: Database) {}

  /** The names of all partitions. */
  async names(): Promise<string[]> {
    const rows = await this.database.rows<{ name: string }>(
      `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
        WHERE i.inhparent = 'scan_events'::regclass`,
    );
    return rows.map(({ name }) => name);
  }

  /** Lets one node at a time create partitions, until its unit of work ends. */
  async lock(): Promise<void> {
    await this.database.execute('SELECT pg_advisory_xact_lock($1)', [partitionsLock]);
  }

  /** Creates a month's partition. A table that is attached afterwards blocks no readers or writers. */
  async create({ name, from, to }: EventMonth): Promise<void> {
    await this.database.execute(`CREATE TABLE ${name} (LIKE scan_events INCLUDING DEFAULTS)`);
    await this.database.execute(
      `ALTER TABLE scan_events ATTACH PARTITION ${name}
         FOR VALUES FROM ('${from.toISOString()}') TO ('${to.toISOString()}')`,
    );
  }

  /** Drops a month with all its events; fails rather than make readers wait for long. */
  async drop({ name }: EventMonth): Promise<void> {
    await this.database.execute(`SET LOCAL lock_timeout = '2s'`);
    await this.database.execute(`DROP TABLE IF EXISTS ${name}`);
  }
}
