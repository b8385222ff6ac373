import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { readTar } from '../../src/backup/tar.js';
import { readBaseBackup } from '../../src/embedded-server/base-backup.js';
import { findBinaries } from '../../src/embedded-server/binaries.js';
import { giveTree } from '../../src/embedded-server/cluster.js';
import { chooseServerUser, type ServerUser, spawnOptions } from '../../src/embedded-server/server-user.js';
import type { Arena } from '../arena.js';
import { freePort } from '../contestants.js';

const patienceMs = 60_000;
const askMs = 50;

/** Asks until there is a row. */
async function until(url: string, sql: string): Promise<void> {
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
class Server {
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
    this.child = spawn(postgres, command, { ...spawnOptions(this.user), stdio: 'ignore' });
    await until(this.url, 'SELECT 1');
  }

  async kill(signal: NodeJS.Signals): Promise<void> {
    if (!this.child || this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill(signal);
    await ended;
  }
}

/** A primary whose commits wait for its standby, on the data of an arena. */
export class FailoverPair {
  private constructor(
    private readonly primary: Server,
    private readonly standby: Server,
    /** Of both, as the service is told it. */
    readonly databaseUrl: string,
  ) {}

  /** Takes the place of the arena's own server. */
  static async of(arena: Arena, database: string): Promise<FailoverPair> {
    const user = await chooseServerUser(null);
    const folder = join(arena.folder, 'standby');
    const asSuperuser = new URL(arena.serverUrl);
    Object.assign(asSuperuser, { username: 'postgres', pathname: '/postgres' });
    await copy(asSuperuser, folder, user);
    const { cluster, url } = await arena.leave();
    const [first, second] = [new URL(url).port, String(await freePort())];
    const primary = new Server(cluster, user, asSuperuser.href);
    const standby = new Server(folder, user, asSuperuser.href.replace(first, second));
    await primary.start('synchronous_standby_names=standby');
    await standby.start('wal_retrieve_retry_interval=200');
    await until(primary.url, `SELECT FROM pg_stat_replication WHERE sync_state = 'sync'`);
    const one = new URL(url);
    one.pathname = `/${database}`;
    const both = one.href.replace(`127.0.0.1:${first}`, `127.0.0.1:${first},127.0.0.1:${second}`);
    return new FailoverPair(primary, standby, `${both}?target_session_attrs=read-write`);
  }

  async killPrimary(): Promise<void> {
    await this.primary.kill('SIGKILL');
  }

  async promote(): Promise<void> {
    await until(this.standby.url, 'SELECT pg_promote()');
  }

  /** A connection to a database of the standby. */
  async connect(database: string): Promise<Client> {
    const url = new URL(this.standby.url);
    url.pathname = `/${database}`;
    const client = new Client({ connectionString: url.href });
    await client.connect();
    return client;
  }

  async stop(): Promise<void> {
    await this.standby.kill('SIGQUIT');
    await this.primary.kill('SIGQUIT');
  }
}

async function copy(primary: URL, folder: string, user: ServerUser): Promise<void> {
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
