import { type ChildProcess, execFileSync, type SpawnOptions } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, mkdir, open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { chooseServerUser, type ServerUser, spawnOptions } from '@store-service/embedded-postgres';
import { freePort } from '../contestants.js';
import { spawnChild } from '../interruption.js';

const binaries = '/usr/lib/postgresql/15/bin';
const programs = ['/usr/bin/etcd', '/usr/bin/patroni', `${binaries}/postgres`];
const password = 'loopback';
const patienceMs = 120_000;
const askMs = 200;

/** What is not on this machine for Patroni, in words; null if all is. */
export function missingForPatroni(): string | null {
  const missing = programs.filter((program) => !existsSync(program));
  if (missing.length === 0) return null;
  return `there is no ${missing.join(', no ')}: it needs the Debian packages patroni, etcd-server and postgresql-15`;
}

// What docs/scale.md has for `bootstrap`, word by word, and around it where things lie on loopback.
const configuration = (name: string, folder: string, ports: { etcd: number; rest: number; postgres: number }) => `
scope: store
name: ${name}
etcd3:
  host: 127.0.0.1:${ports.etcd}
restapi:
  listen: 127.0.0.1:${ports.rest}
  connect_address: 127.0.0.1:${ports.rest}
bootstrap:
  dcs:
    ttl: 30
    loop_wait: 10
    retry_timeout: 10
    synchronous_mode: true
    postgresql:
      use_pg_rewind: true
  initdb:
    - encoding: UTF8
    - data-checksums
postgresql:
  listen: 127.0.0.1:${ports.postgres}
  connect_address: 127.0.0.1:${ports.postgres}
  data_dir: ${folder}/data
  bin_dir: ${binaries}
  pgpass: ${folder}/pgpass
  authentication:
    superuser: { username: postgres, password: ${password} }
    replication: { username: replicator, password: ${password} }
  parameters:
    unix_socket_directories: ${folder}
    max_connections: 200
  pg_hba:
    - local all all trust
    - host replication all 127.0.0.1/32 scram-sha-256
    - host all all 127.0.0.1/32 scram-sha-256
`;

/** A PostgreSQL with its Patroni. */
export class PatroniMember {
  private child: ChildProcess | undefined;

  private constructor(
    readonly name: string,
    private readonly folder: string,
    private readonly user: ServerUser,
    readonly rest: number,
    readonly port: number,
  ) {}

  static async in(parent: string, name: string, user: ServerUser, etcd: number): Promise<PatroniMember> {
    const folder = await ownFolder(parent, name, user);
    const [rest, postgres] = [await freePort(), await freePort()];
    await writeFile(join(folder, 'patroni.yml'), configuration(name, folder, { etcd, rest, postgres }));
    const member = new PatroniMember(name, folder, user, rest, postgres);
    await member.start();
    return member;
  }

  /** As the superuser. */
  get url(): string {
    return `postgres://postgres:${password}@127.0.0.1:${this.port}/postgres`;
  }

  async start(): Promise<void> {
    this.child = await started(this.folder, this.user, 'patroni', [join(this.folder, 'patroni.yml')]);
  }

  /** What it says of itself: `primary`, `replica`, `sync`, or null if it says nothing. */
  async role(): Promise<string | null> {
    const answer = await fetch(`http://127.0.0.1:${this.rest}/patroni`).catch(() => null);
    if (!answer) return null;
    const { role, state, sync_standby } = (await answer.json()) as Record<string, unknown>;
    if (state !== 'running') return null;
    if (role === 'master' || role === 'primary') return 'primary';
    return sync_standby === true ? 'sync' : String(role);
  }

  /** Waits until it says that it is no primary, or nothing. */
  async gone(): Promise<void> {
    while ((await this.role()) === 'primary') await sleep(askMs);
  }

  /** A connection to a database, as the superuser. */
  async connect(database: string): Promise<Client> {
    const client = new Client({
      connectionString: Object.assign(new URL(this.url), { pathname: `/${database}` }).href,
    });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  killPatroni(): void {
    this.child?.kill('SIGKILL');
  }

  async killPostgres(): Promise<void> {
    const text = await readFile(join(this.folder, 'data/postmaster.pid'), 'utf8').catch(() => '');
    const pid = Number(text.split('\n')[0]);
    if (!pid) return;
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }

  async stop(): Promise<void> {
    this.killPatroni();
    await this.killPostgres();
  }
}

async function ownFolder(parent: string, name: string, user: ServerUser): Promise<string> {
  const folder = join(parent, name);
  await mkdir(folder, { mode: 0o700 });
  if (user.ids !== undefined) await chown(folder, user.ids.uid, user.ids.gid);
  return folder;
}

async function started(folder: string, user: ServerUser, program: string, args: string[]): Promise<ChildProcess> {
  const log = await open(`${folder}.log`, 'a');
  const options: SpawnOptions = { ...spawnOptions(user), cwd: folder, stdio: ['ignore', log.fd, log.fd] };
  // Patroni ends its PostgreSQL where it has the time.
  const child = spawnChild(program, args, options, 'SIGTERM');
  await log.close();
  return child;
}

/** Two PostgreSQLs with Patroni and an etcd, on loopback. */
export class PatroniPair {
  private constructor(
    readonly members: readonly [PatroniMember, PatroniMember],
    private readonly etcd: ChildProcess,
  ) {}

  static async start(folder: string): Promise<PatroniPair> {
    const user = await chooseServerUser(null);
    const [client, peer] = [await freePort(), await freePort()];
    const [own, peers] = [`http://127.0.0.1:${client}`, `http://127.0.0.1:${peer}`];
    const place = await ownFolder(folder, 'etcd', user);
    const listen = ['--listen-client-urls', own, '--advertise-client-urls', own, '--listen-peer-urls', peers];
    const advertised = ['--initial-advertise-peer-urls', peers, '--initial-cluster', `default=${peers}`];
    const etcd = await started(place, user, 'etcd', ['--data-dir', join(place, 'data'), ...listen, ...advertised]);
    const first = await PatroniMember.in(folder, 'one', user, client);
    const second = await PatroniMember.in(folder, 'two', user, client);
    const pair = new PatroniPair([first, second], etcd);
    await pair.whole();
    return pair;
  }

  /** The primary and its synchronous standby, once both are there. */
  async whole(): Promise<{ primary: PatroniMember; standby: PatroniMember }> {
    for (const until = Date.now() + patienceMs; Date.now() < until; await sleep(askMs)) {
      const roles = await Promise.all(this.members.map((member) => member.role()));
      const [primary, standby] = [this.members[roles.indexOf('primary')], this.members[roles.indexOf('sync')]];
      if (primary && standby) return { primary, standby };
    }
    throw new Error('Patroni has no primary with a synchronous standby');
  }

  /** Waits until a member is the primary. */
  async promoted(member: PatroniMember): Promise<void> {
    for (const until = Date.now() + patienceMs; (await member.role()) !== 'primary'; await sleep(askMs)) {
      if (Date.now() > until) throw new Error(`Patroni has not promoted ${member.name}`);
    }
  }

  /** The primary, once there is one. */
  async leader(): Promise<PatroniMember> {
    for (const until = Date.now() + patienceMs; Date.now() < until; await sleep(askMs)) {
      for (const member of this.members) if ((await member.role()) === 'primary') return member;
    }
    throw new Error('Patroni has no primary');
  }

  async stop(): Promise<void> {
    for (const member of this.members) await member.stop();
    this.etcd.kill('SIGKILL');
  }
}

/** Which releases of Patroni, etcd and PostgreSQL are tried. */
export function patroniVersions(): string {
  const first = (program: string) => execFileSync(program, ['--version'], { encoding: 'utf8' }).split('\n')[0] ?? '';
  return programs.map(first).join(', ');
}
