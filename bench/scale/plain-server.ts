import type { ChildProcess } from 'node:child_process';
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import {
  findBinaries,
  giveTree,
  readBaseBackup,
  readTar,
  type ServerUser,
  spawnOptions,
} from '@store-service/embedded-postgres';
import type { Arena } from '../arena.js';
import { endChild, isRunning, spawnChild } from '../interruption.js';

const patienceMs = 60_000;
const askMs = 50;

/** Asks until there is a row. */
export async function until(url: string, sql: string): Promise<void> {
  for (const deadline = Date.now() + patienceMs; ; await sleep(askMs)) {
    const client = new Client({ connectionString: url });
    client.on('error', () => undefined);
    try {
      await client.connect();
      if ((await client.query(sql)).rows.length > 0) return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

/** A PostgreSQL of its own, on the data in a folder. */
export class PlainServer {
  private child: ChildProcess | undefined;

  constructor(
    private readonly cluster: string,
    private readonly user: ServerUser,
    /** As the superuser. */
    readonly url: string,
  ) {}

  async start(...settings: string[]): Promise<void> {
    const { postgres } = await findBinaries(this.user, dirname(this.cluster));
    const own = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=300'];
    const given = [...own, ...settings].flatMap((setting) => ['-c', setting]);
    const command = ['-D', this.cluster, '-p', new URL(this.url).port, ...given];
    this.child = spawnChild(postgres, command, { ...spawnOptions(this.user), stdio: 'ignore' });
    await until(this.url, 'SELECT 1');
  }

  get isRunning(): boolean {
    return this.child !== undefined && isRunning(this.child);
  }

  async kill(signal: NodeJS.Signals): Promise<void> {
    if (this.child) await endChild(this.child, signal);
  }

  /** Sends a statement by a connection of its own. */
  async query<Row extends object>(sql: string): Promise<Row[]> {
    const client = await this.connect('postgres');
    try {
      return (await client.query<Row>(sql)).rows;
    } finally {
      await client.end();
    }
  }

  /** A connection to a database, as the superuser. */
  async connect(database: string): Promise<Client> {
    const url = Object.assign(new URL(this.url), { pathname: `/${database}` });
    const client = new Client({ connectionString: url.href });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }
}

/** The whole server of an arena, as its superuser. */
export function superuserOf(arena: Arena): URL {
  return Object.assign(new URL(arena.serverUrl), { username: 'postgres', pathname: '/postgres' });
}

/** Copies a running server into a folder, as its standby. */
export async function copy(primary: URL, folder: string, user: ServerUser): Promise<void> {
  await mkdir(folder, { mode: 0o700 });
  for await (const { name, isFolder, body } of readTar(readBaseBackup(primary.href))) {
    const path = join(folder, name);
    await mkdir(isFolder ? path : dirname(path), { recursive: true, mode: 0o700 });
    if (!isFolder) await writeFile(path, body, { mode: 0o600 });
  }
  await writeFile(join(folder, 'standby.signal'), '');
  const way = `host=127.0.0.1 port=${primary.port} user=postgres password=${primary.password} application_name=standby`;
  await appendFile(join(folder, 'postgresql.auto.conf'), `primary_conninfo = '${way}'\n`);
  if (user.ids !== undefined) await giveTree(folder, user.ids);
}
