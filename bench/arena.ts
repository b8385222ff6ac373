import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { type EmbeddedServer, startEmbeddedServer } from '@store-service/embedded-postgres';
import { migrate } from '../src/database/migrate.js';
import { type Contestant, type Kind, type Side, startContestant } from './contestants.js';
import { type DatabaseName, databases } from './databases.js';
import { whenInterrupted } from './interruption.js';
import type { Pace, Sizes } from './pace.js';

const template = 'empty';
/** Enough for all contestants, as each keeps its connections until the end. */
const settings = { max_connections: '300' };

function keyOf({ kind, database }: Side): string {
  return `${kind} ${database}`;
}

/** One PostgreSQL, its filled databases, and the servers in front of them, each made on first use. */
export class Arena {
  private readonly contestants = new Map<string, { side: Side; contestant: Contestant }>();
  private readonly stopped: { kind: Kind; megabytes: number }[] = [];
  private readonly clients = new Map<DatabaseName, Client>();
  private closing: Promise<void> | undefined;
  private forget: () => void = () => undefined;

  private constructor(
    /** A folder for files of the bench, removed at its end. */
    readonly folder: string,
    private readonly server: EmbeddedServer,
    private readonly sizes: Sizes,
    private readonly profileFolder: string | undefined,
  ) {}

  /** With `profileFolder`, the service writes its profile there when it ends. */
  static async open({ sizes, server }: Pick<Pace, 'sizes' | 'server'>, profileFolder?: string): Promise<Arena> {
    const folder = await mkdtemp(join(tmpdir(), 'store-bench-'));
    await chmod(folder, 0o755); // so that PostgreSQL's own user can reach it when this runs as root
    const running = await startEmbeddedServer({ dataDir: folder, settings: { ...settings, ...server } });
    const arena = new Arena(folder, running, sizes, profileFolder);
    arena.forget = whenInterrupted(() => arena.close());
    await arena.create(template);
    await migrate(arena.urlOf(template));
    return arena;
  }

  /** The shared connection to a database. */
  async database(name: DatabaseName): Promise<Client> {
    const open = this.clients.get(name);
    if (open) return open;
    const { what, fill } = databases[name];
    console.log(`Filling ${what(this.sizes)} ...`);
    await this.create(name, template);
    const client = await this.connect(name);
    await fill({ client, connect: () => this.connect(name) }, this.sizes);
    this.clients.set(name, client);
    return client;
  }

  /** A new connection to an existing database. */
  async connect(name: DatabaseName): Promise<Client> {
    const client = new Client({ connectionString: this.urlOf(name) });
    client.on('error', () => undefined); // ended with PostgreSQL after something failed, which says so itself
    await client.connect();
    return client;
  }

  async contestant(side: Side): Promise<Contestant> {
    const { kind, database } = side;
    const running = this.contestants.get(keyOf(side));
    if (running) return running.contestant;
    await this.database(database);
    const sourceUrl = kind === 'memory' ? (await this.contestant({ kind: 'service', database })).baseUrl : '';
    const { folder: dataDir, profileFolder } = this;
    const place = { databaseUrl: this.urlOf(database), dataDir, sourceUrl, profileFolder };
    const started = await startContestant(kind, place);
    this.contestants.set(keyOf(side), { side, contestant: started });
    return started;
  }

  /**
   * Stops the contestants on the sides' databases that are not measured: another node of the service receives each change,
   * and its work would take time from those that are measured.
   */
  async leaveAlone(sides: readonly Side[]): Promise<void> {
    const kept = new Set(sides.map(keyOf));
    const emptied = new Set(sides.map(({ database }) => database));
    for (const [key, { side, contestant }] of this.contestants) {
      if (kept.has(key) || !emptied.has(side.database)) continue;
      this.contestants.delete(key);
      this.stopped.push({ kind: side.kind, megabytes: await contestant.residentMegabytes() });
      await contestant.stop();
    }
  }

  /** The most memory that any process of a kind uses now, or used when it was stopped. */
  async residentMegabytes(kinds: Kind[]): Promise<number> {
    const running = [...this.contestants.values()].map(async ({ side: { kind }, contestant }) => {
      return { kind, megabytes: await contestant.residentMegabytes() };
    });
    const asked = [...this.stopped, ...(await Promise.all(running))].filter(({ kind }) => kinds.includes(kind));
    return Math.max(0, ...asked.map(({ megabytes }) => megabytes));
  }

  async postgresVersion(): Promise<string> {
    const client = await this.database('shop');
    const { rows } = await client.query<{ version: string }>('SELECT version()');
    return rows[0]?.version.split(' ').slice(0, 2).join(' ') ?? '';
  }

  /** Stops PostgreSQL, so that others can start it on its data; returns their folder, and its URL. */
  async leave(): Promise<{ cluster: string; url: string }> {
    for (const client of this.clients.values()) await client.end();
    this.clients.clear();
    await this.server.stop();
    return this.server;
  }

  /** The URL of the server whose data is copied. */
  get serverUrl(): string {
    return this.server.url;
  }

  close(): Promise<void> {
    return (this.closing ??= this.end().finally(this.forget));
  }

  private async end(): Promise<void> {
    for (const { contestant } of this.contestants.values()) await contestant.stop();
    for (const client of this.clients.values()) await client.end();
    await this.server.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  private async create(name: string, from = 'template1'): Promise<void> {
    const admin = new Client({ connectionString: this.server.url });
    await admin.connect();
    await admin.query(`CREATE DATABASE ${name} TEMPLATE ${from}`);
    await admin.end();
  }

  urlOf(database: string): string {
    const url = new URL(this.server.url);
    url.pathname = `/${database}`;
    return url.href;
  }
}
