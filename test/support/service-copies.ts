import { execFile, fork, type ChildProcess } from 'node:child_process';
import { readFile, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { Client } from 'pg';
import { makeDatabaseFolder } from './database-folder.js';

/** What one copy of the service got from the embedded server. */
export interface Ready {
  url: string;
  adopted: boolean;
  firstStart: boolean;
}

interface Message {
  ready?: Ready;
  failed?: string;
  log?: string;
}

/** A user other than the one of the tests, with the compiled child that they can read (`copyReadably`). */
export interface OtherUser {
  uid: number;
  gid: number;
  child: string;
}

// These tests are not about durability, and the machine does not crash during them.
const QUICK = JSON.stringify({ fsync: 'off' });

/** A copy of the service in a process of its own. */
export class ServiceCopy {
  readonly process: ChildProcess;
  readonly lines: string[] = [];
  readonly ready: Promise<Ready>;
  private readonly gone: Promise<void>;

  constructor(dataDir: string, user?: OtherUser) {
    this.process = user
      ? fork(user.child, [dataDir, QUICK], { cwd: dirname(user.child), uid: user.uid, gid: user.gid, execArgv: [] })
      : fork(join('test', 'support', 'embedded-server-child.ts'), [dataDir, QUICK], {
          execArgv: ['--import', './scripts/ts-loader.mjs'],
        });
    this.gone = new Promise((resolve) => {
      this.process.once('exit', () => resolve());
    });
    this.ready = new Promise((resolve, reject) => {
      this.process.on('message', (message: Message) => {
        if (message.log !== undefined) this.lines.push(message.log);
        if (message.ready !== undefined) resolve(message.ready);
        if (message.failed !== undefined) reject(new Error(message.failed));
      });
      void this.gone.then(() => reject(new Error('The copy ended before it was ready')));
    });
    this.ready.catch(() => undefined);
  }

  async stop(): Promise<void> {
    // The copy may already be exiting, and then does not receive it.
    if (this.process.connected) this.process.send('stop', () => undefined);
    await this.gone;
  }

  async kill(): Promise<void> {
    this.process.kill('SIGKILL');
    await this.gone;
  }
}

/** A fresh data folder that every user can enter, and the copies started on it; `clear` removes them all. */
class Scene {
  private readonly copies: ServiceCopy[] = [];
  private opened = '';

  async open(): Promise<void> {
    this.opened = await makeDatabaseFolder('embedded-server-');
  }

  get folder(): string {
    return this.opened;
  }

  get dataDir(): string {
    return join(this.folder, 'data');
  }

  get cluster(): string {
    return join(this.dataDir, 'postgres');
  }

  /** Takes the data folder of another scene as it is, owners included. */
  async copyOf(other: Scene): Promise<void> {
    await promisify(execFile)('cp', ['-a', other.dataDir, this.dataDir]);
  }

  start(dataDir = this.dataDir, user?: OtherUser): ServiceCopy {
    const copy = new ServiceCopy(dataDir, user);
    this.copies.push(copy);
    return copy;
  }

  async clear(): Promise<void> {
    await Promise.all(this.copies.splice(0).map((copy) => copy.stop()));
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** A scene that is opened anew for each test. */
export function sceneOfEachTest(): Scene {
  const scene = new Scene();
  beforeEach(() => scene.open());
  afterEach(() => scene.clear());
  return scene;
}

/**
 * A scene whose data folder a copy has initialized and left. Tests start from it by `copyOf`, as initializing takes
 * long.
 */
export function sceneToCopy(): Scene {
  const scene = new Scene();
  beforeAll(async () => {
    await scene.open();
    const copy = scene.start();
    await copy.ready;
    await copy.stop();
  });
  afterAll(() => scene.clear());
  return scene;
}

/** The process id of the server whose cluster lies in `cluster`. */
export async function postmasterPid(cluster: string): Promise<number> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8');
  const pid = Number(text.split('\n')[0]);
  // Signalling process 0 would signal this process's own group.
  if (!Number.isInteger(pid) || pid <= 0) throw new Error(`postmaster.pid of ${cluster} names no process`);
  return pid;
}

/** True while the process runs; not for one that has ended and waits for its parent. */
export async function runs(pid: number): Promise<boolean> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return text !== '' && text.slice(text.lastIndexOf(')') + 2)[0] !== 'Z';
}

/** The ids of all running processes whose command line names `text`. */
export async function processesNaming(text: string): Promise<string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')));
  return ids.filter((_, index) => lines[index]?.includes(text));
}

/** Waits until `holds` is true, for at most 60 s. */
export async function eventually(holds: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error('It did not come about within 60 s');
    await sleep(20);
  }
}

/** Waits until a process that was stopped has left: a busy machine takes a moment to free its memory. */
export const gone = (pid: number): Promise<void> => eventually(async () => !(await runs(pid)));

/** Runs one statement over a connection of its own. */
export async function query<Row extends object>(url: string, sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined); // the current statement throws it
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** True if the server responds. */
export const canQuery = (url: string): Promise<boolean> =>
  query(url, 'SELECT 1').then(
    () => true,
    () => false,
  );

/** Kills a session of the server, whereupon PostgreSQL ends all others and recovers. */
export async function crashBackend(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  for (const { pid } of rows) process.kill(pid, 'SIGKILL');
}
