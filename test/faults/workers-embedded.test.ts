import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { childrenOf, connectTo, type PinnedConnection } from '../support/pinned-connection.js';
import { until } from '../support/receiver.js';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.js';

let dataDir: string;
let service: ServiceProcess;

const start = () =>
  startServiceProcess({
    DATA_DIR: dataDir,
    DEMO_DATA: 'false',
    CONSOLE: 'false',
    WORKERS: '2',
    ACCESS_POLICY: 'contract',
  });

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'store-embedded-workers-'));
  service = await start();
});
afterAll(async () => {
  await service?.stop('SIGTERM');
  await rm(dataDir, { recursive: true, force: true });
});

interface Running {
  pid: number;
  args: string;
}

function running(): Running[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).split('\n');
  return lines.flatMap((line) => {
    const [, pid, args = ''] = /^\s*(\d+) (.*)$/.exec(line) ?? [];
    return pid === undefined ? [] : { pid: Number(pid), args };
  });
}

/** The first process and all that it and its children have started. */
const all = (): number[] => withDescendants(service.child.pid ?? 0);
const begunAs = (args: RegExp): number[] => {
  const pids = new Set(all());
  return running().flatMap((one) => (pids.has(one.pid) && args.test(one.args) ? one.pid : []));
};
/** The servers; their own processes call themselves `postgres: …`. */
const postmasters = (): number[] => begunAs(/\bpostgres .*-D /);
/** The workers, oldest first; the first is the lead until one has died. */
const workers = (): number[] => begunAs(/\bmain\.js\b/);
const left = (pids: number[]): Running[] => running().filter(({ pid }) => pids.includes(pid));

function withDescendants(pid: number): number[] {
  try {
    return [pid, ...childrenOf(pid).flatMap(withDescendants)];
  } catch {
    return [pid]; // it has ended meanwhile
  }
}

async function connected(): Promise<PinnedConnection[]> {
  return connectTo(service, workers());
}

const mails = async (): Promise<number> => (await readdir(join(dataDir, 'mail')).catch(() => [])).length;

async function register(at: PinnedConnection, username: string): Promise<void> {
  const json = { username, email: `${username}@example.com`, password: 'correct horse 7' };
  expect((await at.ask('POST', '/api/v1/auth/register', { json })).status).toBe(201);
}

/** Adds a product and returns its path. */
async function newProduct(at: PinnedConnection): Promise<string> {
  const json = { name: 'Seen', price: 1, stock: 1 };
  const made = await at.ask('POST', '/api/v1/products/', { json });
  expect(made.status).toBe(201);
  return `/api/v1/products/${(JSON.parse(made.body) as { id: number }).id}`;
}

describe('Two workers on the embedded server', () => {
  it('share one server, which shows each what the other wrote', async () => {
    expect(workers()).toHaveLength(2);
    expect(postmasters()).toHaveLength(1);
    const [one, other] = (await connected()) as [PinnedConnection, PinnedConnection];
    expect((await other.ask('GET', await newProduct(one))).status).toBe(200);
    expect((await one.ask('GET', await newProduct(other))).status).toBe(200);
  });

  it('keep their server when the lead is killed, and another worker takes over its jobs', async () => {
    const [server] = postmasters();
    const [lead, second] = workers() as [number, number];
    const before = await mails();
    const [kept] = (await connectTo(service, [second])) as [PinnedConnection];
    process.kill(lead, 'SIGKILL');
    await register(kept, 'meanwhile');
    await until(() => workers().length === 2 && !workers().includes(lead), 'another lead');
    expect(postmasters()).toEqual([server]);
    await until(async () => (await mails()) === before + 1, 'the mail that the new lead writes');
    const replacement = workers().find((pid) => pid !== second) as number;
    const [fresh] = (await connectTo(service, [replacement])) as [PinnedConnection];
    expect((await kept.ask('GET', await newProduct(fresh))).status).toBe(200);
  });

  it('leave no process behind when the first process is told to stop', async () => {
    const before = all();
    expect(before).toEqual(expect.arrayContaining([...workers(), ...postmasters()]));
    expect(await service.stop('SIGTERM')).toBe(0);
    expect(left(before)).toEqual([]);
  });

  it('end when the first process is killed, and the next start finds what they wrote', async () => {
    service = await start();
    const [one] = (await connected()) as [PinnedConnection];
    const path = await newProduct(one);
    const [serving, servers] = [workers(), postmasters()];
    await service.stop('SIGKILL');
    await until(() => left(serving).length === 0, 'the end of the workers');
    service = await start();
    const [again] = (await connected()) as [PinnedConnection];
    expect((await again.ask('GET', path)).status).toBe(200);
    const before = [...servers, ...all()];
    expect(await service.stop('SIGTERM')).toBe(0);
    await until(() => left(before).length === 0, 'the end of all processes');
  });
});
