import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { entriesOf } from '../support/client-process.js';
import { runClient } from '../support/client-run.js';
import { type InsertedOrganization, insertOrganization } from '../support/organizations.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

interface Made {
  id: string;
}

let app: TestApp;
let organization: InsertedOrganization;
let key: string;
let profile: Made;
let asset: Made;
let scan: Made;
let failed: Made;

async function make(path: string, json: unknown, headers = { 'x-api-key': key }): Promise<Made> {
  const { status, body } = await app.api.post<Made>(`/api/v1/${path}`, { json, headers });
  expect(status).toBeLessThan(300);
  return body;
}

beforeAll(async () => {
  app = await startTestApp();
  organization = await insertOrganization(app);
  key = await organization.key('admin');
  profile = await make('profiles', { name: 'Shop front', scannerKind: 'FRONTEND_DAST', type: 'REST' });
  asset = await make('assets', { name: 'Shop', type: 'WEBAPP', class: 'FRONTEND', frontend: frontend() });
  scan = await make('scans', { applicationId: profile.id, kind: 'FRONTEND_DAST', assetIds: [asset.id] });
  failed = await make('scans', { applicationId: profile.id, kind: 'BLST_REST', status: 'RUNNING' });
  await app.api.patch(`/api/v1/scans/${failed.id}`, { json: { status: 'FAILED' }, headers: { 'x-api-key': key } });
  await make(`scans/${scan.id}/issues`, [
    { name: 'Injection', severity: 'HIGH', category: 'INJECTION', assetId: asset.id },
    { name: 'Banner', severity: 'LOW', category: 'INFORMATION_DISCLOSURE', assetId: asset.id },
  ]);
});
afterAll(() => app.close());

const frontend = () => ({
  type: 'WEBAPP',
  url: 'https://shop.example.com',
  ips: [],
  regionCountryCodes: [],
  tls: true,
});
const run = (...args: string[]) => runClient(args, { url: app.baseUrl, key });
const names = async (...args: string[]) => entriesOf(await run(...args, '-o', 'json')).map(({ name }) => name);

describe('The client and the service', () => {
  it('list scans, newest first', async () => {
    const { code, stdout } = await run('scans', 'list');
    const [head, ...rows] = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/));
    expect([code, head]).toEqual([0, ['ID', 'CREATED AT', 'STATUS', 'DONE', 'KIND', 'BRANCH', 'PROFILE']]);
    expect(rows.map(([id, , ...rest]) => [id, ...rest])).toEqual([
      [failed.id, 'FAILED', '0 %', 'BLST_REST', '-', 'Shop front'],
      [scan.id, 'STARTING', '0 %', 'FRONTEND_DAST', '-', 'Shop front'],
    ]);
  });

  it.each([
    ['--statuses FAILED,CANCELED', 1],
    ['--kinds FRONTEND_DAST', 1],
    ['--statuses FAILED --kinds FRONTEND_DAST', 0],
    ['--limit 1', 1],
  ])('list scans by %s', async (flags, count) => {
    expect(entriesOf(await run('scans', 'list', ...flags.split(' '), '-o', 'json'))).toHaveLength(count);
  });

  it('list scans by profile and asset', async () => {
    const found = entriesOf(await run('scan', 'ls', '-p', profile.id, '-a', asset.id, '-o', 'json'));
    expect(found.map(({ id }) => id)).toEqual([scan.id]);
  });

  it('show a scan', async () => {
    const { code, stdout } = await run('scans', 'get', scan.id);
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`^ID +${scan.id}\nSTATUS +STARTING\nDONE +0 %\nKIND +FRONTEND_DAST\n`));
    const json = await run('scans', 'get', scan.id, '-o', 'json');
    expect(JSON.parse(json.stdout)).toMatchObject({ id: scan.id, application: { name: 'Shop front' } });
  });

  it('watch a scan that has failed', async () => {
    expect((await run('scans', 'watch', failed.id)).code).toBe(5);
  });

  it('watch a scan to its end', async () => {
    const running = await make('scans', { applicationId: profile.id, kind: 'ASM_DNS', status: 'RUNNING' });
    const watched = run('scans', 'watch', running.id);
    const json = { status: 'FINISHED' };
    await app.api.patch(`/api/v1/scans/${running.id}`, { json, headers: { 'x-api-key': key } });
    const { code, stdout } = await watched;
    expect([code, stdout]).toEqual([0, expect.stringMatching(/FINISHED +100 %\n$/)]);
  });

  it('list issues', async () => {
    const { code, stdout } = await run('issues', 'list', '--severities', 'HIGH');
    const [head, row] = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/));
    expect([code, head]).toEqual([0, ['ID', 'CREATED AT', 'SEVERITY', 'STATUS', 'ASSET', 'NAME']]);
    expect(row?.slice(2)).toEqual(['HIGH', 'OPEN', 'Shop', 'Injection']);
  });

  it('list issues by every filter', async () => {
    expect(await names('issues', 'ls')).toHaveLength(2);
    expect(await names('issues', 'list', '--categories', 'INFORMATION_DISCLOSURE')).toEqual(['Banner']);
    expect(await names('issues', 'list', '--statuses', 'RESOLVED')).toEqual([]);
    expect(await names('issues', 'list', '-s', 'inject')).toEqual(['Injection']);
    const ids = ['-p', profile.id, '--scan-id', scan.id, '-a', asset.id];
    expect(await names('issues', 'list', ...ids, '--statuses', 'OPEN', '--severities', 'LOW')).toEqual(['Banner']);
    expect(await names('issues', 'list', '--scan-id', failed.id)).toEqual([]);
  });

  it('list and run workflows', async () => {
    const parameters = { url: 'https://hooks.example.invalid/x' };
    const actions = [{ type: 'EXPORT', integrationKind: 'WEBHOOK', parameters }];
    const workflow = await make('workflows', { name: 'By hand', trigger: { type: 'MANUAL' }, actions });
    const { stdout } = await run('workflows', 'list');
    expect(stdout).toMatch(/^ID +CREATED AT +ENABLED +TRIGGER +NAME\n/);
    expect(stdout).toMatch(new RegExp(`${workflow.id} .*yes +MANUAL +By hand\n`));
    const { code, stdout: run1 } = await run('workflows', 'run', workflow.id, '-o', 'json');
    const runs = await app.database.rows<Made>('SELECT id FROM workflow_runs');
    expect([code, [JSON.parse(run1)]]).toEqual([0, runs.map(({ id }) => ({ runId: id }))]);
  });

  it('import a report from a file and from a pipe', async () => {
    const sarif = {
      version: '2.1.0',
      runs: [
        {
          tool: { driver: { name: 'Linter', rules: [{ id: 'R1' }] } },
          versionControlProvenance: [{ repositoryUri: 'https://code.example/shop' }],
          results: [{ ruleId: 'R1', level: 'error', message: { text: 'Unbound parameter' } }],
        },
      ],
    };
    const report = JSON.stringify(sarif);
    const path = join(await mkdtemp(join(tmpdir(), 'store-client-')), 'report.sarif');
    await writeFile(path, report);
    const { code, stdout } = await run('scans', 'import', path);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/FINDINGS +1\nNEW ISSUES +1\nSEEN BEFORE +0\nSKIPPED +0\n/),
    ]);
    const piped = ['scans', 'import', '-', '--format', 'sarif', '-o', 'json', '--profile-id', profile.id];
    const again = await runClient([...piped, '--kind', 'ASM_CODE_PROJECT'], { url: app.baseUrl, key, stdin: report });
    expect(JSON.parse(again.stdout)).toMatchObject({
      gate: null,
      reports: [
        {
          findings: 1,
          created: 0,
          seen: 1,
          scan: { status: 'FINISHED', kind: 'ASM_CODE_PROJECT', applicationId: profile.id },
        },
      ],
    });
    await rm(dirname(path), { recursive: true });
  });

  it('show why a report is refused', async () => {
    const { code, stderr } = await runClient(['scans', 'import', '-'], { url: app.baseUrl, key, stdin: 'hello' });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^store: body: ./)]);
  });

  it('end with 4 for ids that are unknown or another organization’s', async () => {
    const { code, stderr } = await run('scans', 'get', profile.id);
    expect([code, stderr]).toEqual([4, expect.stringMatching(/^store: .*not found/i)]);
    const stranger = await (await insertOrganization(app)).key('admin');
    const { code: strange } = await runClient(['scans', 'get', scan.id], { url: app.baseUrl, key: stranger });
    expect(strange).toBe(4);
  });

  it('end with 3 without a key, with a revoked one, and with one without the right', async () => {
    const revoked = await organization.key('admin', { revokedAt: new Date() });
    const viewer = await organization.key('viewer');
    const codes = [];
    for (const attempt of [undefined, revoked, 'nonsense', viewer]) {
      const choices = { url: app.baseUrl, ...(attempt === undefined ? {} : { key: attempt }) };
      codes.push((await runClient(['workflows', 'run', scan.id], choices)).code);
    }
    expect(codes).toEqual([3, 3, 3, 3]);
  });

  it('end with 1 when the service refuses a filter', async () => {
    const { code, stderr } = await run('issues', 'list', '-s', 'x'.repeat(300));
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^store: query\.search: .*200 characters/)]);
  });
});
