import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { newUsername } from '../support/accounts.js';
import { until } from '../support/receiver.js';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

let database: TestDatabase;
let dataDir: string;
/** That of all nodes: with it a mail is sealed in the queue, for instance. */
const encryptionKey = '0'.repeat(64);
const started: ServiceProcess[] = [];
/** What holds a lock. */
const holders: Client[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'store-stop-'));
});
afterEach(async () => {
  await Promise.all(holders.splice(0).map((holder) => holder.end()));
  await Promise.all(started.splice(0).map((service) => service.stop('SIGKILL')));
});
afterAll(async () => {
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

async function connect(): Promise<Client> {
  const client = new Client({ connectionString: database.url });
  holders.push(client);
  await client.connect();
  return client;
}

/** Blocks every write to the products until it is ended. */
async function holdProducts(): Promise<Client> {
  const client = await connect();
  await client.query('BEGIN; LOCK TABLE products IN SHARE MODE');
  return client;
}

/** The settings of a node with a folder of its own. */
const own = (folder: string) => ({
  DATABASE_URL: database.url,
  DATA_DIR: join(dataDir, folder),
  DEMO_DATA: 'false',
  STOREFRONT: 'false',
  CONSOLE: 'false',
  DOCS: 'false',
  ENCRYPTION_KEY: encryptionKey,
});

async function start(env: Record<string, string>): Promise<ServiceProcess> {
  const service = await startServiceProcess(env);
  started.push(service);
  return service;
}

/** A node that continues to serve for five minutes after it is told to stop. */
const startDraining = (folder: string) => start({ ...own(folder), DRAIN_SECONDS: '300' });

describe('SIGTERM', () => {
  it('lets requests in flight finish, accepts no new ones, and exits with 0', async () => {
    const service = await start(own(''));
    await database.rows('DELETE FROM products');
    const holder = await holdProducts();
    const body = JSON.stringify({ name: 'Last one', price: 1, stock: 1 });
    const headers = { 'content-type': 'application/json' };
    const inFlight = fetch(`${service.baseUrl}/api/v1/products/`, { method: 'POST', headers, body });
    await sleep(300);
    service.child.kill('SIGTERM');
    await sleep(300);
    await expect(fetch(`${service.baseUrl}/health`)).rejects.toThrow();
    await holder.query('COMMIT');
    const answer = await inFlight;
    expect(answer.status).toBe(201);
    expect(answer.headers.get('connection')).toBe('close');
    expect(await service.stop()).toBe(0);
    expect(await database.rows('SELECT name FROM products')).toEqual([{ name: 'Last one' }]);
  });

  it('with DRAIN_SECONDS, lets it serve on while it reports that it is not ready', async () => {
    const draining = await startDraining('');
    const get = (path: string) => fetch(`${draining.baseUrl}${path}`);
    expect((await get('/health/ready')).status).toBe(200);
    draining.child.kill('SIGTERM');
    await until(async () => (await get('/health/ready')).status === 503, 'what says that it is not ready');
    for (let time = 1; time <= 3; time++) {
      const answer = await get('/api/v1/products/');
      expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
    }
  });

  it('with DRAIN_SECONDS, leaves new jobs to other nodes while it serves on', async () => {
    const [drains, other] = [`draining-${randomUUID()}`, `other-${randomUUID()}`];
    const mailsOf = (folder: string) => readdir(join(dataDir, folder, 'mail')).catch(() => []);
    const runners = `SELECT FROM pg_stat_activity
                      WHERE datname = current_database() AND application_name = 'store-service jobs'`;
    const draining = await startDraining(drains);
    await until(async () => (await database.rows(runners)).length > 0, 'a node that takes jobs');
    draining.child.kill('SIGTERM');
    await until(async () => (await database.rows(runners)).length === 0, 'a node that takes no jobs');
    const username = newUsername();
    const user = { username, email: `${username}@example.com`, password: 'correct horse 7' };
    const headers = { 'content-type': 'application/json' };
    const made = await fetch(`${draining.baseUrl}/api/v1/auth/register`, {
      method: 'POST',
      headers,
      body: JSON.stringify(user),
    });
    expect(made.status).toBe(201);
    await startDraining(other);
    await until(async () => (await mailsOf(other)).length > 0, 'the mail that the other node writes');
    expect(await mailsOf(drains)).toEqual([]);
  });

  it('during the start, ends it with 0 and without an error', async () => {
    const holder = await connect();
    await holder.query(`DELETE FROM users WHERE role = 'admin'`);
    await holder.query('BEGIN; LOCK TABLE users IN ACCESS EXCLUSIVE MODE'); // the first admin has to wait
    const others = (await database.rows<{ pid: number }>('SELECT pid FROM pg_stat_activity')).map(({ pid }) => pid);
    const waits = `
      SELECT FROM pg_stat_activity
       WHERE wait_event_type = 'Lock' AND datname = current_database() AND pid <> ALL ('{${others.join()}}')`;
    const starting = spawn(process.execPath, ['scripts/start.mjs'], {
      env: { ...process.env, PORT: '0', ...own('') },
    });
    const ended = once(starting, 'exit');
    let output = '';
    for (const stream of [starting.stdout, starting.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
    await until(async () => (await database.rows(waits)).length > 0, 'the first admin, which waits');
    starting.kill('SIGTERM');
    await until(() => output.includes('"stopping"'), 'the stop');
    await holder.query('ROLLBACK');
    expect(await ended).toEqual([0, null]);
    expect(output).not.toMatch(/error|pool/i);
  });
});
