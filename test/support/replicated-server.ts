import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdir, open, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  chooseServerUser,
  type EmbeddedServer,
  findBinaries,
  freePort,
  giveTree,
  readBaseBackup,
  readTar,
  type ServerUser,
  spawnOptions,
  startEmbeddedServer,
} from '@store-service/embedded-postgres';
import { migrate } from '../../src/database/migrate.js';
import { makeDatabaseFolder } from './database-folder.js';
import { canQuery, eventually, query } from './service-copies.js';

const quick = { fsync: 'off' };

/** A PostgreSQL that a test starts, kills and promotes. */
export class PlainServer {
  private child: ChildProcess | undefined;

  constructor(
    private readonly folder: string,
    private readonly user: ServerUser,
    /** The URLs of the user as whom the service signs in, and of one who may pause and promote. */
    readonly url: string,
    private readonly adminUrl: string,
  ) {}

  /** Starts it with settings besides its own; its folder makes it the primary or a replica. */
  async start(...settings: string[]): Promise<void> {
    const { postgres } = await findBinaries(this.user, dirname(this.folder));
    const log = await open(`${this.folder}.log`, 'a');
    const own = [
      'listen_addresses=127.0.0.1',
      'unix_socket_directories=',
      'fsync=off',
      'max_connections=100',
      'wal_retrieve_retry_interval=200',
    ];
    const given = [...own, ...settings].flatMap((setting) => ['-c', setting]);
    this.child = spawn(postgres, ['-D', this.folder, '-p', new URL(this.url).port, ...given], {
      ...spawnOptions(this.user),
      stdio: ['ignore', log.fd, log.fd],
    });
    await log.close();
    await eventually(() => {
      if (this.child?.exitCode !== null) throw new Error(`The server ended; see ${this.folder}.log`);
      return canQuery(this.url);
    }).catch(async (error: unknown) => {
      throw new Error(await readFile(`${this.folder}.log`, 'utf8'), { cause: error });
    });
  }

  /** Ends it at once, as a crash does. */
  async kill(signal: 'SIGQUIT' | 'SIGKILL' = 'SIGQUIT'): Promise<void> {
    const { child } = this;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  async admin<Row extends object>(sql: string): Promise<Row[]> {
    return query<Row>(this.adminUrl, sql);
  }
}

/** A migrated PostgreSQL of the test's own with a streaming replica, made with the embedded server's own programs. */
export class ReplicatedServer {
  private constructor(
    readonly folder: string,
    readonly primary: EmbeddedServer,
    readonly replica: PlainServer,
  ) {}

  static async start(): Promise<ReplicatedServer> {
    const folder = await makeDatabaseFolder('replicated-');
    const primary = await startEmbeddedServer({ dataDir: join(folder, 'primary'), settings: quick });
    await migrate(primary.url);
    const replica = await copied(primary, join(folder, 'replica'));
    await replica.start();
    return new ReplicatedServer(folder, primary, replica);
  }

  /** Stops the replica from receiving, once it has caught up. */
  async cutOff(): Promise<void> {
    const { replica } = this;
    const flushed = 'SELECT pg_current_wal_flush_lsn()::text AS lsn';
    const [{ lsn } = { lsn: '' }] = await query<{ lsn: string }>(this.primary.url, flushed);
    const holds = (condition: string) => async () => (await replica.admin(`SELECT WHERE ${condition}`)).length > 0;
    await eventually(holds(`pg_last_wal_replay_lsn() >= '${lsn}'`));
    await replica.admin(`ALTER SYSTEM SET primary_conninfo = ''`);
    await replica.admin('SELECT pg_reload_conf()');
    await eventually(holds('NOT EXISTS (SELECT FROM pg_stat_wal_receiver)'));
  }

  async stop(): Promise<void> {
    await this.replica.kill();
    await this.primary.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** Follows the documentation's "Setting Up a Standby Server" on a copy of the running cluster. */
async function copied(primary: EmbeddedServer, folder: string): Promise<PlainServer> {
  const user = await chooseServerUser(null);
  await copy(primary.url, folder, user);
  return serverOf(folder, user, primary.url, await freePort(null));
}

async function copy(url: string, folder: string, user: ServerUser): Promise<void> {
  await mkdir(folder, { mode: 0o700 });
  for await (const { name, isFolder, body } of readTar(readBaseBackup(url))) {
    const path = join(folder, name);
    await mkdir(isFolder ? path : dirname(path), { recursive: true, mode: 0o700 });
    if (!isFolder) await writeFile(path, body, { mode: 0o600 });
  }
  const { port, password } = new URL(url);
  await writeFile(join(folder, 'standby.signal'), '');
  const conninfo = `host=127.0.0.1 port=${port} user=postgres password=${password} application_name=replica`;
  await appendFile(join(folder, 'postgresql.auto.conf'), `primary_conninfo = '${conninfo}'\n`);
  if (user.ids !== undefined) await giveTree(folder, user.ids);
}

/** The server of a folder on a port, with the database and the passwords of a URL. */
function serverOf(folder: string, user: ServerUser, url: string, port: number): PlainServer {
  const { password, pathname } = new URL(url);
  const place = `127.0.0.1:${port}${pathname}`;
  const urls = ['store', 'postgres'].map((role) => `postgres://${role}:${password}@${place}`) as [string, string];
  return new PlainServer(folder, user, ...urls);
}

/** Makes commits wait for the replica. */
export const synchronous = 'synchronous_standby_names=replica';

async function untilSynchronous(primary: PlainServer): Promise<void> {
  const isSynchronous = `SELECT FROM pg_stat_replication WHERE sync_state = 'sync'`;
  await eventually(async () => (await primary.admin(isSynchronous)).length > 0);
}

/** A primary whose commits wait for its replica, each a server that can be killed. */
export class FailoverPair {
  private constructor(
    readonly folder: string,
    readonly first: PlainServer,
    readonly second: PlainServer,
  ) {}

  static async start(): Promise<FailoverPair> {
    const { folder, primary: embedded, replica } = await ReplicatedServer.start();
    await embedded.stop();
    const user = await chooseServerUser(null);
    const first = serverOf(embedded.cluster, user, embedded.url, Number(new URL(embedded.url).port));
    await first.start(synchronous);
    await untilSynchronous(first);
    return new FailoverPair(folder, first, replica);
  }

  async stop(): Promise<void> {
    await this.second.kill();
    await this.first.kill();
    await rm(this.folder, { recursive: true, force: true });
  }
}
