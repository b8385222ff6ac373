import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Arena } from '../arena.js';
import { FailoverPair } from './failover-pair.js';
import { filledShop, linesOf, loadOn, settleMs } from './shop-cluster.js';

const unnoticedMs = 3_000;
const sideBySideMs = 60_000;
const tryMs = 3_000;

/** Sessions of nodes there, other than those that look who is the primary, and those that wait for the standby for ever. */
const ofNodes = `SELECT count(*)::integer AS count FROM pg_stat_activity
  WHERE usename = 'store' AND application_name <> 'store-service primary watch' AND state <> 'active'`;

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

  /** To be called once the server is gone, as what waits there waits for ever. */
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

/** The old primary comes back as one for a minute after its standby was promoted; a node starts meanwhile. */
export async function twoPrimaries(arena: Arena): Promise<string[]> {
  await filledShop(arena);
  const pair = await FailoverPair.of(arena, 'shop');
  const clients: Client[] = [];
  try {
    let straggling = '';
    const site = { folder: arena.folder, databaseUrl: pair.databaseUrl };
    const report = await loadOn(site, { nodes: 2 }, async ([first]) => {
      await sleep(settleMs);
      await pair.killPrimary();
      await sleep(unnoticedMs);
      await pair.promote();
      await pair.returnPrimary();
      const straggler = new Straggler(pair.primary, 'shop');
      await sleep(sideBySideMs / 2);
      await first?.stop();
      await first?.start();
      await sleep(sideBySideMs / 2);
      await pair.primary.kill('SIGKILL');
      straggling = await straggler.end();
      const client = await pair.standby.connect('shop');
      clients.push(client);
      return client;
    });
    return [...linesOf(report), straggling];
  } finally {
    for (const client of clients) await client.end();
    await pair.stop();
  }
}
