import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { childrenOf, connectTo, type PinnedConnection } from '../support/pinned-connection.js';
import { until } from '../support/receiver.js';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const password = 'correct horse 7';
const pairs = 10_000;
const writers = 8;

let database: TestDatabase;
let dataDir: string;
let service: ServiceProcess;
/** The workers that serve, the lead first, and a connection to each. */
let pids: number[];
let lead: PinnedConnection;
let second: PinnedConnection;

const workers = (): number[] => childrenOf(service.child.pid ?? 0);

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'store-workers-'));
  const own = { DATABASE_URL: database.url, DATA_DIR: dataDir, DEMO_DATA: 'false', CONSOLE: 'false' };
  service = await startServiceProcess({ ...own, WORKERS: '2', EVENT_FOLLOWERS: '1' }, { lasting: true });
  pids = workers();
  [lead, second] = (await connectTo(service, pids)) as [PinnedConnection, PinnedConnection];
});
afterAll(async () => {
  await service.stop('SIGKILL');
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

async function insertProduct(name: string): Promise<number> {
  const made = await lead.ask('POST', '/api/v1/products/', { json: { name, price: 1, stock: 1 } });
  return (JSON.parse(made.body) as { id: number }).id;
}

async function signUp(at: PinnedConnection, username: string): Promise<Record<string, string>> {
  const user = { username, email: `${username}@example.com`, password };
  expect((await at.ask('POST', '/api/v1/auth/register', { json: user })).status).toBe(201);
  const login = await at.ask('POST', '/api/v1/auth/login', { json: { username, password } });
  return { authorization: `Bearer ${(JSON.parse(login.body) as { access_token: string }).access_token}` };
}

async function mailsWritten(): Promise<number> {
  const files = await readdir(join(dataDir, 'mail')).catch(() => []);
  return files.filter((name) => name.endsWith('.eml')).length;
}

/** The number of connections of job runners: each runner has at least five and at most seven. */
async function connectionsOfRunners(): Promise<number> {
  const sql = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'store-service jobs'`;
  return (await database.rows(sql)).length;
}

describe('Two workers', () => {
  it('print the first lines once', () => {
    expect(pids).toHaveLength(2);
    expect(service.output().match(/Store Service is running/g)).toHaveLength(1);
  });

  it('give freed memory back', async () => {
    for (const pid of pids) {
      const variables = (await readFile(`/proc/${pid}/environ`, 'utf8')).split('\0');
      expect(variables).toContain('MALLOC_MMAP_THRESHOLD_=131072');
    }
  });

  it('sum their metrics, whichever is asked', async () => {
    for (const one of [lead, second, second]) expect((await one.ask('GET', '/health')).status).toBe(200);
    for (const one of [lead, second]) {
      const { body } = await one.ask('GET', '/metrics');
      expect(body).toContain('http_request_duration_seconds_count{method="GET",route="/health",status="200"} 3');
      expect(body).toContain('\nworkers 2\n');
    }
  });

  it('show each write in the next read of the other', async () => {
    const stale: string[] = [];
    const write = async (nth: number): Promise<void> => {
      const sides = await connectTo(service, pids);
      const id = await insertProduct(`Writer ${nth}`);
      const [writer, reader] = (nth % 2 === 0 ? sides : sides.toReversed()) as [PinnedConnection, PinnedConnection];
      for (let version = 1; version <= pairs / writers; version++) {
        const { status } = await writer.ask('PUT', `/api/v1/products/${id}`, { json: { price: version + 1 } });
        const read = await reader.ask('GET', `/api/v1/products/${id}`);
        const { price } = JSON.parse(read.body) as { price?: number };
        if (status !== 200 || price !== version + 1) stale.push(`${status} version ${version}: ${read.body}`);
      }
      for (const side of sides) side.close();
    };
    await Promise.all(Array.from({ length: writers }, (_, nth) => write(nth)));
    expect(stale).toEqual([]);
  }, 300_000);

  it('know of a session that was ended at the other', async () => {
    for (let round = 0; round < 5; round++) {
      const headers = await signUp(lead, `leaver${round}`);
      for (const one of [lead, second]) expect((await one.ask('GET', '/api/v1/auth/me', { headers })).status).toBe(200);
      expect((await lead.ask('POST', '/api/v1/auth/logout', { headers })).status).toBeLessThan(300);
      expect((await second.ask('GET', '/api/v1/auth/me', { headers })).status).toBe(401);
    }
  });

  it('count the streams of events together', async () => {
    const headers = await signUp(second, 'follower');
    await second.ask('POST', '/api/v1/organizations', { headers, json: { name: 'Followers' } });
    const abort = new AbortController();
    const stream = await fetch(`${service.baseUrl}/api/v1/events/stream`, { headers, signal: abort.signal });
    expect(stream.status).toBe(200);
    for (const one of [lead, second]) {
      const refused = await one.ask('GET', '/api/v1/events/stream', { headers });
      expect([refused.status, refused.body]).toEqual([503, expect.stringContaining('busy')]);
    }
    abort.abort();
    await until(async () => {
      const again = new AbortController();
      const { status } = await fetch(`${service.baseUrl}/api/v1/events/stream`, { headers, signal: again.signal });
      again.abort();
      return status === 200;
    }, 'a place for a stream');
  });

  it('run the jobs in only one of them', async () => {
    const before = await mailsWritten();
    for (const [nth, one] of [lead, second, second].entries()) await signUp(one, `mailed${nth}`);
    await until(async () => (await mailsWritten()) >= before + 3, 'three mails');
    expect(await mailsWritten()).toBe(before + 3);
    expect(await connectionsOfRunners()).toBeLessThanOrEqual(7);
  });
});

describe('A worker that is killed', () => {
  it('loses its own requests and no others, and is replaced', async () => {
    const id = await insertProduct('Under load');
    const failures = new Map<number, number>();
    const [killed, kept] = pids as [number, number];
    const load = { isOver: false };
    let answered = 0;
    const write = async (connection: PinnedConnection, pid: number): Promise<void> => {
      for (let n = 0; !load.isOver; n++) {
        const json = { name: `Under load ${n}` };
        // A client that lost its connection continues with any other worker.
        const status = await connection.ask('PUT', `/api/v1/products/${id}`, { json }).then(
          (answer) => answer.status,
          () => 0,
        );
        answered += 1;
        if (status !== 200) failures.set(pid, (failures.get(pid) ?? 0) + 1);
      }
      connection.close();
    };
    const under: Promise<void>[] = [];
    for (const pid of [killed, kept, killed, kept, killed, kept]) {
      const [connection] = await connectTo(service, [pid]);
      under.push(write(connection as PinnedConnection, pid));
    }
    const before = answered;
    await until(() => answered > before + 50, 'load on both');
    process.kill(killed, 'SIGKILL');
    await until(() => workers().length === 2 && !workers().includes(killed), 'another worker');
    const replacement = workers().find((pid) => pid !== kept) as number;
    const [connection] = (await connectTo(service, [replacement])) as [PinnedConnection];
    expect((await connection.ask('GET', `/api/v1/products/${id}`)).status).toBe(200);
    load.isOver = true;
    await Promise.all(under);
    expect(failures.get(kept) ?? 0).toBe(0);
    // Each of its three clients had one under way, and perhaps a connection that was on its way to it.
    expect(failures.get(killed) ?? 0).toBeLessThanOrEqual(6);
    [pids, lead] = [[replacement, kept], connection];
  });

  it('leaves its jobs to its replacement', async () => {
    const before = await mailsWritten();
    await signUp(second, 'later');
    await until(async () => (await mailsWritten()) === before + 1, 'a mail');
  });
});

describe('SIGTERM', () => {
  it('lets the requests in flight at both finish, accepts no new ones, and exits with 0', async () => {
    const holder = new Client({ connectionString: database.url });
    await holder.connect();
    await holder.query('BEGIN; LOCK TABLE products IN SHARE MODE');
    const json = { name: 'Last one', price: 1, stock: 1 };
    const inFlight = [lead, second].map((one) => one.ask('POST', '/api/v1/products/', { json }));
    const waiting = `SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'products'::regclass`;
    await until(async () => (await database.rows(waiting)).length === 2, 'two writes that wait');
    service.child.kill('SIGTERM');
    // One that arrives at the very moment of the stop may be accepted and get no response: the next one is refused.
    const isTaken = (): Promise<boolean> =>
      fetch(`${service.baseUrl}/health`, { signal: AbortSignal.timeout(500) }).then(
        () => true,
        (error: unknown) => (error as Error).name === 'TimeoutError',
      );
    await until(async () => !(await isTaken()), 'a closed port');
    await holder.query('COMMIT');
    await holder.end();
    expect((await Promise.all(inFlight)).map(({ status }) => status)).toEqual([201, 201]);
    expect(await service.stop()).toBe(0);
    expect(workersLeft()).toEqual([]);
  });
});

function workersLeft(): number[] {
  return pids.filter((pid) => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  });
}
