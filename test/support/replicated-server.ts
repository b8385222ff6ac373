import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chmod, mkdir, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readTar } from '../../src/backup/tar.js';
import { migrate } from '../../src/database/migrate.js';
import { readBaseBackup } from '../../src/embedded-server/base-backup.js';
import { findBinaries } from '../../src/embedded-server/binaries.js';
import { giveTree } from '../../src/embedded-server/cluster.js';
import { type EmbeddedServer, startEmbeddedServer } from '../../src/embedded-server/embedded-server.js';
import { freePort } from '../../src/embedded-server/free-port.js';
import { chooseServerUser, spawnOptions, type ServerUser } from '../../src/embedded-server/server-user.js';
import { canQuery, eventually, query } from './service-copies.js';

const quick = { fsync: 'off' };

/** A PostgreSQL that replays the log of another one as it is written. */
export class StreamingReplica {
  private child: ChildProcess | undefined;

  constructor(
    private readonly folder: string,
    private readonly user: ServerUser,
    /** As the service signs in, and as one who may pause and promote. */
    readonly url: string,
    private readonly adminUrl: string,
  ) {}

  async start(): Promise<void> {
    const { postgres } = await findBinaries(this.user, dirname(this.folder));
    const log = await open(`${this.folder}.log`, 'a');
    const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off', 'max_connections=100'];
    const given = settings.flatMap((setting) => ['-c', setting]);
    this.child = spawn(postgres, ['-D', this.folder, '-p', new URL(this.url).port, ...given], {
      ...spawnOptions(this.user),
      stdio: ['ignore', log.fd, log.fd],
    });
    await log.close();
    await eventually(() => {
      if (this.child?.exitCode !== null) throw new Error(`The replica ended; see ${this.folder}.log`);
      return canQuery(this.url);
    }).catch(async (error: unknown) => {
      throw new Error(await readFile(`${this.folder}.log`, 'utf8'), { cause: error });
    });
  }

  /** Ends it at once, as a crash does. */
  async kill(): Promise<void> {
    const { child } = this;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGQUIT');
    await ended;
  }

  async admin<Row extends object>(sql: string): Promise<Row[]> {
    return query<Row>(this.adminUrl, sql);
  }
}

/** A migrated PostgreSQL of a test's own, with a streaming replica, made by the embedded server's own programs. */
export class ReplicatedServer {
  private constructor(
    readonly folder: string,
    readonly primary: EmbeddedServer,
    readonly replica: StreamingReplica,
  ) {}

  static async start(): Promise<ReplicatedServer> {
    const folder = await mkdtemp(join(tmpdir(), 'replicated-'));
    await chmod(folder, 0o755);
    const primary = await startEmbeddedServer({ dataDir: join(folder, 'primary'), settings: quick });
    await migrate(primary.url);
    const replica = await copied(primary, join(folder, 'replica'));
    await replica.start();
    return new ReplicatedServer(folder, primary, replica);
  }

  async stop(): Promise<void> {
    await this.replica.kill();
    await this.primary.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** The documentation's "Setting Up a Standby Server", on a copy of the running cluster. */
async function copied(primary: EmbeddedServer, folder: string): Promise<StreamingReplica> {
  await mkdir(folder, { mode: 0o700 });
  for await (const { name, isFolder, body } of readTar(readBaseBackup(primary.url))) {
    const path = join(folder, name);
    await mkdir(isFolder ? path : dirname(path), { recursive: true, mode: 0o700 });
    if (!isFolder) await writeFile(path, body, { mode: 0o600 });
  }
  const { port, password, pathname } = new URL(primary.url);
  await writeFile(join(folder, 'standby.signal'), '');
  const conninfo = `host=127.0.0.1 port=${port} user=postgres password=${password} application_name=replica`;
  await appendFile(join(folder, 'postgresql.auto.conf'), `primary_conninfo = '${conninfo}'\n`);
  const user = await chooseServerUser(null);
  if (user.ids !== undefined) await giveTree(folder, user.ids);
  const place = `127.0.0.1:${await freePort(null)}${pathname}`;
  const urls = ['store', 'postgres'].map((role) => `postgres://${role}:${password}@${place}`) as [string, string];
  return new StreamingReplica(folder, user, ...urls);
}
