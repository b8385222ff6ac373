import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '../../../src/database/database.js';
import { JobQueue } from '../../../src/platform/jobs/job-queue.js';
import { NodesService } from '../../../src/store/nodes/nodes.service.js';
import type { Operation } from '../../../src/store/operation/operation.dto.js';
import { Settings } from '../../../src/config/settings.js';
import { Secrets } from '../../../src/config/secrets.js';
import { insertAdmin, insertUser } from '../../support/accounts.js';
import '../../support/built-service.js';
import { folderElsewhere, putDatabase } from '../../support/database-elsewhere.js';
import { startMailServer } from '../../support/mail-server.js';
import { startReceiver, until } from '../../support/receiver.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let token: string;
let folder: string;
beforeAll(async () => {
  app = await startTestApp({ env: { BACKUP_SCHEDULE: '0 3 * * *', EGRESS_ALLOW: '127.0.0.1' } });
  token = (await insertAdmin(app)).token;
  folder = await mkdtemp(join(tmpdir(), 'store-check-'));
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

const path = '/api/v1/admin/operation';
const shown = async (headers: Record<string, string> = {}) =>
  (await app.api.get<Operation>(path, { token, headers })).body;
const check = ({ checks }: Operation, name: string) => checks.find((one) => one.name === name);

describe('GET /api/v1/admin/operation', () => {
  it('shows a healthy service, and what is still to do', async () => {
    const operation = await shown();
    expect(operation.checks.map(({ name, state }) => [name, state])).toEqual([
      ['database', 'ok'],
      ['clock', 'ok'],
      ['jobs', 'ok'],
      ['mail', 'warning'],
      ['storage', 'ok'],
      ['disk', expect.stringMatching(/ok|failed/)], // as full as this machine is
      ['address', 'ok'],
      ['certificate', 'off'],
      ['backup', 'warning'],
    ]);
    expect(operation.version).toBe('1.0.0');
  });

  it('looks at the disk of the database, too, where that lies on another one', async () => {
    const { dataDir } = app.nest.get(Settings, { strict: false });
    const elsewhere = await folderElsewhere();
    await putDatabase(dataDir, join(elsewhere.path, 'postgres'));
    const said = check(await shown(), 'disk')?.message;
    await rm(join(dataDir, 'postgres-place.json'));
    await elsewhere.remove();
    expect(said).toMatch(
      /GB of [\d.]+ GB are free at DATA_DIR; [\d.]+ GB of [\d.]+ GB are free in .*database-elsewhere-/,
    );
    expect(check(await shown(), 'disk')?.message).toMatch(/^[\d.]+ GB of [\d.]+ GB are free at DATA_DIR(?!;)/);
  });

  it('is for admins alone', async () => {
    expect((await app.api.get(path)).status).toBe(401);
    const { token: other } = await insertUser(app);
    expect((await app.api.get(path, { token: other })).status).toBe(403);
  });

  it('says that the proxy in front is not trusted', async () => {
    expect(check(await shown({ 'x-forwarded-for': '203.0.113.9' }), 'address')).toEqual({
      name: 'address',
      state: 'failed',
      message: expect.stringContaining('TRUST_PROXY is not set'),
    });
  });

  it('shows what waits for long, what was given up, and the backups', async () => {
    const queue = app.nest.get(JobQueue, { strict: false });
    await queue.add('slow', {}, { runAt: new Date(Date.now() - 120_000) });
    await queue.add('broken', {}, { maxAttempts: 1 });
    await app.database.rows(`SELECT graphile_worker.permanently_fail_jobs(ARRAY(
      SELECT id FROM graphile_worker.jobs WHERE task_identifier = 'broken'), 'in vain')`);
    await app.database.rows(
      `INSERT INTO backups (id, begun_at, ended_at, outcome, name, bytes, reason)
       VALUES (gen_random_uuid(), now() - interval '2 hours', now(), 'kept', 'store-x.backup', 5000000000, NULL),
              (gen_random_uuid(), now() - interval '1 hour', now(), 'failed', NULL, NULL, 'the disk is full')`,
    );
    await until(async () => (await shown()).queues[0]?.task === 'slow', 'another look at the queue');
    const operation = await shown();
    expect(operation.queues).toEqual(
      expect.arrayContaining([
        { task: 'slow', waiting: 1, planned: 0, failed: 0, last_error: null, oldest_seconds: expect.any(Number) },
        { task: 'broken', waiting: 0, planned: 0, failed: 1, last_error: 'in vain', oldest_seconds: 0 },
      ]),
    );
    expect(operation.queues[0]?.task).toBe('slow');
    expect(check(operation, 'jobs')).toMatchObject({ state: 'failed', message: expect.stringContaining('(slow)') });
    expect(operation.backups.map(({ outcome, bytes, reason }) => [outcome, bytes, reason])).toEqual([
      ['failed', null, 'the disk is full'],
      ['kept', 5_000_000_000, null],
    ]);
    expect(check(operation, 'backup')).toMatchObject({
      state: 'failed',
      message: 'The last backup failed: the disk is full',
    });
    const { body } = await app.api.get('/health/ready?verbose');
    expect(body).toMatchObject({ status: 'ready', jobs: 'late', backup: 'failed' });
  });
});

describe('Receivers', () => {
  it('are shown while they fail, without the credentials in their addresses', async () => {
    const url = 'https://erp.example.com/hooks?key=secret';
    const hook = (events: string[]) =>
      app.api.post<{ id: string }>('/api/v1/admin/webhooks', { token, json: { url, events } });
    const [{ body: failing }, { body: disabled }] = [await hook(['order.placed']), await hook(['order.paid'])];
    await hook(['order.refunded']);
    expect((await shown()).failing_receivers).toEqual([]);
    const set = 'UPDATE store_webhooks SET failing_since = $2, disabled_reason = $3 WHERE id = $1';
    await app.database.rows(set, [failing.id, '2026-11-02T10:00:00Z', null]);
    await app.database.rows(set, [disabled.id, '2026-11-01T10:00:00Z', 'The receiver is gone (410)']);
    const shownUrl = 'https://erp.example.com/hooks';
    expect((await shown()).failing_receivers).toEqual([
      {
        webhook_id: disabled.id,
        url: shownUrl,
        failing_since: '2026-11-01T10:00:00.000Z',
        disabled_reason: 'The receiver is gone (410)',
      },
      { webhook_id: failing.id, url: shownUrl, failing_since: '2026-11-02T10:00:00.000Z', disabled_reason: null },
    ]);
    await app.database.rows('DELETE FROM store_webhooks');
  });
});

describe('Given-up jobs', () => {
  const queue = () => app.nest.get(JobQueue, { strict: false });
  const giveUp = async (task: string, count: number) => {
    for (let n = 0; n < count; n++) await queue().add(task, { n }, { maxAttempts: 1 });
    await app.database.rows(
      `SELECT graphile_worker.permanently_fail_jobs(ARRAY(
         SELECT id FROM graphile_worker.jobs WHERE task_identifier = $1), 'out of order')`,
      [task],
    );
  };
  const move = (task: string, verb: string, as = token) =>
    app.api.post<{ jobs: number }>(`${path}/queues/${task}/${verb}`, { token: as });
  const inQueue = async (task: string) => (await shown()).queues.find((one) => one.task === task);

  it('are tried anew, and counted', async () => {
    await giveUp('printing', 3);
    expect(await inQueue('printing')).toMatchObject({ failed: 3, waiting: 0, last_error: 'out of order' });
    expect((await move('printing', 'retry')).body).toEqual({ jobs: 3 });
    await until(async () => (await inQueue('printing'))?.waiting === 3, 'jobs that wait again');
    expect(await inQueue('printing')).toMatchObject({ failed: 0, last_error: null });
  });

  it('are dropped, by one of two who ask at once', async () => {
    await giveUp('packing', 2);
    const answers = await Promise.all([move('packing', 'drop'), move('packing', 'drop')]);
    const moved = answers.map(({ status, body }) => (status === 200 ? body.jobs : status));
    expect(moved).toEqual(expect.arrayContaining([2, 404]));
    expect(await inQueue('packing')).toBeUndefined();
  });

  it('are not there where none was given up, and only admins move them', async () => {
    const { status, body } = await move('nothing', 'retry');
    expect([status, body]).toEqual([404, expect.objectContaining({ code: 'not_found' })]);
    const { token: other } = await insertUser(app);
    expect((await move('nothing', 'drop', other)).status).toBe(403);
  });
});

describe('Nodes', () => {
  it('tell of themselves and of their slow statements while they serve', async () => {
    expect((await shown()).nodes).toEqual([]);
    const [one, other] = [app.nest, (await app.anotherNode()).nest];
    for (const node of [one, other]) {
      await node.get(Database).rows('SELECT pg_sleep(0.6)');
      await node.get(NodesService, { strict: false }).tell();
    }
    const { nodes, slow_statements: slow } = await shown();
    expect(nodes).toHaveLength(2);
    expect(nodes[0]).toMatchObject({ host: hostname(), pid: process.pid, version: '1.0.0' });
    expect(slow.filter(({ text }) => text === 'SELECT pg_sleep(0.6)')).toMatchObject([{ times: 1 }, { times: 1 }]);
    await app.database.rows("UPDATE nodes SET seen_at = now() - interval '5 minutes'");
    expect((await shown()).nodes).toEqual([]);
  });
});

/** Runs a command of the service on the test's database. */
async function run(
  command: string,
  env: Record<string, string> = {},
): Promise<{ code: number | null; output: string }> {
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  const { jwtSecret, encryptionKey } = app.nest.get(Secrets);
  const keys = { JWT_SECRET: jwtSecret, ENCRYPTION_KEY: encryptionKey.toString('hex') };
  const child = spawn(process.execPath, ['scripts/start.mjs', command], {
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', DATA_DIR: folder, ...app.database.env, ...keys, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (output += bytes.toString()));
  await once(child, 'close');
  return { code: child.exitCode, output };
}

describe('npm start -- --doctor', () => {
  it('sends a mail and a sample to each webhook, and says what came of it', async () => {
    const [mails, receiver] = [await startMailServer(), await startReceiver()];
    const hook = (url: string) =>
      app.api.post('/api/v1/admin/webhooks', { token, json: { url, events: ['order.placed'] } });
    try {
      expect((await hook(receiver.url)).status).toBe(201);
      expect((await hook('http://127.0.0.1:9/')).status).toBe(201);
      const env = { ...mails.env, MAIL_FROM: 'shop@harbour.example', EGRESS_ALLOW: '127.0.0.1' };
      const { code, output } = await run('--doctor', env);
      expect(output).toMatch(/^ok +send a mail +The mail server took one to shop@harbour\.example/m);
      expect(output).toMatch(/^ok +send a webhook +http:\S+ answered with 200/m);
      expect(output).toMatch(/^FAILED +send a webhook +http:\/\/127\.0\.0\.1:9\/ did not take a sample/m);
      expect(code).toBe(1);
      expect(mails.mails.flatMap(({ to }) => to)).toEqual(['shop@harbour.example']);
      expect(await receiver.payload(0)).toMatchObject({ type: 'order.placed', test: true });
    } finally {
      await Promise.all([mails.close(), receiver.close()]);
    }
  });
});

describe('npm start -- --check', () => {
  it('prints the same, and ends with 1 where a check failed', async () => {
    const { code, output } = await run('--check');
    expect(output).toMatch(/^ok +database +It answers in \d+ ms/m);
    expect(output).toMatch(/^FAILED +jobs +Jobs wait .*slow/m);
    expect(output).toMatch(/^off +backup /m);
    expect(code).toBe(1);
  });

  it('changes nothing in a database that this release has not migrated', async () => {
    await app.database.rows(`DELETE FROM migrations WHERE name = 'Backups1764430000000'`);
    const { code, output } = await run('--check');
    expect(code).toBe(1);
    expect(output).toContain('The database has not seen 1 migrations of this release (Backups1764430000000)');
    expect(await app.database.rows(`SELECT FROM migrations WHERE name = 'Backups1764430000000'`)).toEqual([]);
  });
});
