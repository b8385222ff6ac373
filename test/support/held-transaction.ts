import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { TestDatabase } from './test-database.js';

/** A transaction of the test's own that stays open to block the service's. */
export class HeldTransaction {
  private constructor(
    private readonly client: Client,
    private readonly database: TestDatabase,
  ) {}

  /** Opens a transaction and runs `sql` in it. */
  static async open(database: TestDatabase, sql: string, values: unknown[] = []): Promise<HeldTransaction> {
    const client = new Client({ connectionString: database.url });
    client.on('error', () => undefined);
    await client.connect();
    await client.query('BEGIN');
    await client.query(sql, values);
    return new HeldTransaction(client, database);
  }

  /** Waits until `count` statements of others are waiting for a lock. */
  async blocks(count: number, withinMs = 60_000): Promise<void> {
    const began = Date.now();
    for (;;) {
      const [row] = await this.database.rows<{ waiting: string }>(
        `SELECT count(*) AS waiting FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      if (Number(row?.waiting) >= count) return;
      const waitedMs = Date.now() - began;
      if (waitedMs > withinMs) throw new Error(`Only ${row?.waiting} statements wait for a lock`);
      await sleep(Math.min(5 + waitedMs / 20, 100));
    }
  }

  async query(sql: string, values: unknown[] = []): Promise<void> {
    await this.client.query(sql, values);
  }

  async commit(): Promise<void> {
    await this.client.query('COMMIT');
    await this.client.end();
  }
}
