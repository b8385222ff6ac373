import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { type EphemeralService, refusedEphemeral, startEphemeralService } from '../../support/ephemeral-service.js';

const running: EphemeralService[] = [];
afterAll(async () => {
  for (const service of running) await service.stop();
});

async function start(): Promise<EphemeralService> {
  const service = await startEphemeralService();
  running.push(service);
  return service;
}

async function json<T>(url: string, headers: Record<string, string> = {}): Promise<T> {
  const response = await fetch(url, { headers });
  expect(response.status).toBe(200);
  return (await response.json()) as T;
}

/** The ids of what a suite would name. */
async function idsOf({ url, apiKey, adminPassword }: EphemeralService) {
  const login = { method: 'POST', headers: { 'Content-Type': 'application/json' } };
  const signIn = await fetch(`${url}/api/v1/auth/login`, {
    ...login,
    body: JSON.stringify({ username: 'admin', password: adminPassword }),
  });
  const { access_token } = (await signIn.json()) as { access_token: string };
  const admin = { Authorization: `Bearer ${access_token}` };
  const key = { 'X-API-Key': apiKey };
  const users = await json<{ id: string; username: string }[]>(`${url}/api/v1/admin/users?limit=100`, admin);
  const products = await json<{ id: number; name: string }[]>(`${url}/api/v1/products/?limit=100`);
  const lists = await Promise.all(
    ['assets', 'scans', 'issues', 'tags', 'workflows'].map(async (name) => {
      const { data } = await json<{ data: { id: string }[] }>(`${url}/api/v1/${name}`, key);
      return [name, data.map(({ id }) => id)];
    }),
  );
  return {
    users: users.map(({ id, username }) => `${username} ${id}`),
    products: products.map(({ id, name }) => `${id} ${name}`),
    ...(Object.fromEntries(lists) as Record<string, string[]>),
  };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function postmasterOf({ folder }: EphemeralService): Promise<number> {
  return Number((await readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0]);
}

/** Machines of tests are busy: several starts, one after the other. */
const patienceMs = 900_000;

describe('npm start -- --ephemeral', () => {
  /** The one that the last test left. */
  let left: EphemeralService;

  it(
    'gives the demo the same ids at every start, and is gone without a trace at the end',
    async () => {
      const first = await start();
      const postmaster = await postmasterOf(first);
      expect(first.pid).toBe(first.child.pid);
      const ids = await idsOf(first);
      expect(Object.values(ids).map((list) => list.length > 0)).toEqual(Object.values(ids).map(() => true));
      await first.stop('SIGINT');
      expect([existsSync(first.folder), existsSync(first.readyFile), isAlive(postmaster)]).toEqual([
        false,
        false,
        false,
      ]);
      left = await start();
      expect(await idsOf(left)).toEqual(ids);
    },
    patienceMs,
  );

  it(
    'removes at the next start what a killed one left',
    async () => {
      const killed = left;
      const postmaster = await postmasterOf(killed);
      await killed.stop('SIGKILL');
      expect([existsSync(killed.folder), isAlive(postmaster)]).toEqual([true, true]);
      left = await start();
      expect([existsSync(killed.folder), isAlive(postmaster), existsSync(left.folder)]).toEqual([false, false, true]);
    },
    patienceMs,
  );

  it('makes no backup by itself, and is gone after SIGTERM too', async () => {
    const metrics = await (await fetch(`${left.url}/metrics`)).text();
    expect(metrics).not.toMatch(/^backup_\S+ [1-9]/m);
    expect(existsSync(join(left.folder, 'backups'))).toBe(false);
    await left.stop('SIGTERM');
    expect(existsSync(left.folder)).toBe(false);
  });

  it(
    'is refused in production, with a database that is away, and without the name of its file',
    async () => {
      const production = { NODE_ENV: 'production', ACCESS_POLICY: 'contract' };
      expect(await refusedEphemeral(production)).toMatch(/is for tests.*Set NODE_ENV/);
      expect(await refusedEphemeral({ DATABASE_URL: 'postgres://a:b@127.0.0.1:1/x' })).toMatch(
        /127\.0\.0\.1:1\/x cannot be reached .*correct DATABASE_URL/,
      );
      expect(await refusedEphemeral({}, ['--ready-file'])).toMatch(/takes the name of a file/);
    },
    patienceMs,
  );
});
