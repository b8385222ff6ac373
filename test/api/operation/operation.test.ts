import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { JobQueue } from '../../../src/platform/jobs/job-queue.js';
import type { Operation } from '../../../src/store/operation/operation.dto.js';
import { insertAdmin, insertUser } from '../../support/accounts.js';
import '../../support/built-service.js';
import { until } from '../../support/receiver.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let token: string;
let folder: string;
beforeAll(async () => {
  app = await startTestApp({ env: { BACKUP_SCHEDULE: '0 3 * * *' } });
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
        { task: 'slow', waiting: 1, planned: 0, failed: 0, oldest_seconds: expect.any(Number) },
        { task: 'broken', waiting: 0, planned: 0, failed: 1, oldest_seconds: 0 },
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

describe('npm start -- --check', () => {
  async function run(env: Record<string, string>): Promise<{ code: number | null; output: string }> {
    const root = fileURLToPath(new URL('../../..', import.meta.url));
    const child = spawn(process.execPath, ['scripts/start.mjs', '--check'], {
      cwd: root,
      env: { PATH: process.env['PATH'] ?? '', DATA_DIR: folder, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (bytes: Buffer) => (output += bytes.toString()));
    await once(child, 'close');
    return { code: child.exitCode, output };
  }

  it('prints the same, and ends with 1 where a check failed', async () => {
    const { code, output } = await run({ ...app.database.env });
    expect(output).toMatch(/^ok +database +It answers in \d+ ms/m);
    expect(output).toMatch(/^FAILED +jobs +Jobs wait .*slow/m);
    expect(output).toMatch(/^off +backup /m);
    expect(code).toBe(1);
  });

  it('changes nothing in a database that this release has not migrated', async () => {
    await app.database.rows(`DELETE FROM migrations WHERE name = 'Backups1764430000000'`);
    const { code, output } = await run({ ...app.database.env });
    expect(code).toBe(1);
    expect(output).toContain('The database has not seen 1 migrations of this release (Backups1764430000000)');
    expect(await app.database.rows(`SELECT FROM migrations WHERE name = 'Backups1764430000000'`)).toEqual([]);
  });
});
