import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';

const tryMs = 3_000;

/** Sessions of nodes there, but those that wait for the standby forever. */
const ofNodes = `SELECT count(*)::integer AS count FROM pg_stat_activity
  WHERE usename = 'store' AND state <> 'active'`;

/** A server that connections are made to. */
interface Reachable {
  connect(database: string): Promise<Client>;
}

/** Somebody who was left behind by the promotion, and goes on writing to the old primary. */
export class Straggler {
  tried = 0;
  acknowledged = 0;
  /** Connections of nodes that were seen there. */
  sessions = 0;
  private readonly stopping = new AbortController();
  private readonly running: Promise<void>;
  private readonly writes: Promise<void>[] = [];

  constructor(
    private readonly server: Reachable,
    private readonly database: string,
  ) {
    this.running = this.run();
  }

  /** To be called once the server is gone, as what waits there waits forever. */
  async end(): Promise<string> {
    this.stopping.abort();
    await this.running;
    await Promise.all(this.writes);
    const { tried, acknowledged, sessions } = this;
    return `${tried} writes were tried at the old primary, ${acknowledged} acknowledged; ${sessions} sessions of nodes seen there`;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      const client = await this.server.connect(this.database).catch(() => null);
      if (client) {
        const { rows } = await client.query<{ count: number }>(ofNodes);
        this.sessions += rows[0]?.count ?? 0;
        this.writes.push(this.write(client));
      }
      await sleep(tryMs, undefined, { signal }).catch(() => undefined);
    }
  }

  private async write(client: Client): Promise<void> {
    this.tried++;
    await client.query(`UPDATE products SET stock = stock - 1 WHERE id = ${this.tried}`).then(
      () => this.acknowledged++,
      () => undefined,
    );
    await client.end().catch(() => undefined);
  }
}
