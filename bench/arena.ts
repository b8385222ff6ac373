import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { type EmbeddedServer, startEmbeddedServer } from '../src/database/embedded/embedded-server.js';
import { migrate } from '../src/database/migrate.js';
import { type Contestant, type Kind, startContestant } from './contestants.js';
import { fill, type ShopName, shopSizes } from './fill.js';
import type { Side } from './rows.js';

/** One PostgreSQL, its filled shops, and the servers before them; each is made when it is first asked for. */
export class Arena {
  private readonly contestants = new Map<string, Contestant>();
  private readonly shops = new Map<ShopName, Client>();

  private constructor(
    private readonly dataDir: string,
    private readonly server: EmbeddedServer,
  ) {}

  static async open(): Promise<Arena> {
    const dataDir = await mkdtemp(join(tmpdir(), 'store-bench-'));
    await chmod(dataDir, 0o755); // so that PostgreSQL's own user can reach it when this runs as root
    return new Arena(dataDir, await startEmbeddedServer({ dataDir }));
  }

  /** A connection to a shop's database. */
  async shop(name: ShopName): Promise<Client> {
    const open = this.shops.get(name);
    if (open) return open;
    console.log(`Filling a shop of ${shopSizes[name]} products ...`);
    const admin = new Client({ connectionString: this.server.url });
    await admin.connect();
    await admin.query(`CREATE DATABASE ${name}`);
    await admin.end();
    await migrate(this.urlOf(name));
    const client = new Client({ connectionString: this.urlOf(name) });
    await client.connect();
    await fill(client, name);
    this.shops.set(name, client);
    return client;
  }

  async contestant({ kind, shop }: Side): Promise<Contestant> {
    const key = `${kind} ${shop}`;
    const running = this.contestants.get(key);
    if (running) return running;
    await this.shop(shop);
    const sourceUrl = kind === 'memory' ? (await this.contestant({ kind: 'service', shop })).baseUrl : '';
    const started = await startContestant(kind, { databaseUrl: this.urlOf(shop), dataDir: this.dataDir, sourceUrl });
    this.contestants.set(key, started);
    return started;
  }

  /** The most memory that any process of a kind has now. */
  async residentMegabytes(kinds: Kind[]): Promise<number> {
    const asked = [...this.contestants.values()].filter(({ kind }) => kinds.includes(kind));
    return Math.max(0, ...(await Promise.all(asked.map((one) => one.residentMegabytes()))));
  }

  async postgresVersion(): Promise<string> {
    const client = await this.shop('shop');
    const { rows } = await client.query<{ version: string }>('SELECT version()');
    return rows[0]?.version.split(' ').slice(0, 2).join(' ') ?? '';
  }

  async close(): Promise<void> {
    for (const contestant of this.contestants.values()) await contestant.stop();
    for (const client of this.shops.values()) await client.end();
    await this.server.stop();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  private urlOf(shop: ShopName): string {
    const url = new URL(this.server.url);
    url.pathname = `/${shop}`;
    return url.href;
  }
}
