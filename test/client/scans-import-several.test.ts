import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Issue } from '@store-service/sdk';
import { runClient } from '../support/client-run.js';
import { insertOrganization } from '../support/organizations.js';
import { sarifLog, sarifResult, zapAlert, zapReport } from '../support/report-imports.js';
import { startStubService } from '../support/stub-service.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let folder: string;
let key: string;
beforeAll(async () => {
  app = await startTestApp();
  folder = await mkdtemp(join(tmpdir(), 'store-several-'));
  await report('front.sarif', 'in front');
  await report('back.sarif', 'in back');
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  key = await (await insertOrganization(app)).key('member');
});

async function write(name: string, content: object): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, JSON.stringify(content));
  return file;
}

function report(name: string, rule: string, run: object = {}): Promise<string> {
  return write(name, sarifLog([sarifResult(rule)], run));
}

const run = (...args: string[]) => {
  const files = args.map((arg) => (/\.(sarif|json)$/.test(arg) ? join(folder, arg) : arg));
  const env = { GITLAB_CI: 'true', CI_COMMIT_BRANCH: 'main', CI_DEFAULT_BRANCH: 'main' };
  return runClient(['scans', 'import', ...files], { url: app.baseUrl, key, env });
};

async function statuses(): Promise<Record<string, string>> {
  const { body } = await app.api.get<{ data: Issue[] }>('/api/v1/issues', { headers: { 'x-api-key': key } });
  return Object.fromEntries(body.data.map(({ name, status }) => [name, status]));
}

describe('store scans import of several reports of one tool', () => {
  it('ends with 2 with --resolve-gone, and imports nothing', async () => {
    await run('front.sarif', 'back.sarif');
    const { code, stdout, stderr } = await run('front.sarif', 'back.sarif', '--resolve-gone');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('back.sarif are both of Lint without a category');
    expect(stderr).toContain('Import them one by one, each with a --category of its own');
    expect(await statuses()).toEqual({ 'in front': 'OPEN', 'in back': 'OPEN' });
    const both = await run('front.sarif', 'back.sarif', '--resolve-gone', '--category', 'all');
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('of Lint and the category all')]);
  });

  it('resolves gone issues of each category, named by the command or the report', async () => {
    await report('named.sarif', 'in named', { automationDetails: { id: 'named/1' } });
    expect((await run('front.sarif', 'named.sarif', '--resolve-gone')).code).toBe(0);
    const { code, stdout } = await run('back.sarif', '--resolve-gone', '--category', 'back');
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/\nASSET +asset:\/\/code-project\/\S+\n.*\nCATEGORY +back\n/),
    ]);
    expect(await statuses()).toEqual({ 'in front': 'OPEN', 'in named': 'OPEN', 'in back': 'OPEN' });
    await report('fixed.sarif', 'other', { automationDetails: { id: 'named/2' } });
    await run('fixed.sarif', '--resolve-gone');
    expect(await statuses()).toMatchObject({ 'in front': 'OPEN', 'in named': 'RESOLVED', 'in back': 'OPEN' });
  });

  it('accepts those of several tools and of several repositories', async () => {
    const versionControlProvenance = [{ repositoryUri: 'https://code.example/acme/other' }];
    await report('other.sarif', 'in other', { versionControlProvenance });
    await write('zap.json', zapReport([zapAlert('1')]));
    await write('zap-admin.json', zapReport([zapAlert('2')], 'https://admin.example'));
    const files = ['front.sarif', 'other.sarif', 'zap.json', 'zap-admin.json'];
    for (const times of [1, 2]) expect([times, (await run(...files, '--resolve-gone')).code]).toEqual([times, 0]);
    expect(Object.values(await statuses())).toEqual(['OPEN', 'OPEN', 'OPEN', 'OPEN']);
  });

  it("warns without --resolve-gone that each counts the other's issues as gone", async () => {
    const { code, stderr } = await run('front.sarif', 'back.sarif');
    expect([code, stderr]).toEqual([0, expect.stringContaining('counts what the other has as gone')]);
    expect((await run('front.sarif', '--category', 'front')).stderr).toBe('');
  });

  it('says how to name an asset when neither the report nor its surroundings do', async () => {
    const file = await write('nameless.sarif', {
      version: '2.1.0',
      runs: [{ tool: { driver: { name: 'Lint' } }, results: [] }],
    });
    jest.spyOn(process, 'cwd').mockReturnValue(folder);
    const { code, stderr } = await runClient(['scans', 'import', file], { url: app.baseUrl, key });
    expect([code, stderr]).toEqual([1, expect.stringContaining('name the repository, site or host by --asset')]);
  });

  it.each(['-', 'a pipe'])('ends with 2 with --resolve-gone when one comes from %s', async (from) => {
    const pipe = join(folder, 'pipe');
    if (from !== '-') execFileSync('sh', ['-c', 'mkfifo "$1"', 'sh', pipe]);
    const { code, stderr } = await run('front.sarif', from === '-' ? '-' : pipe, '--resolve-gone');
    expect([code, stderr]).toEqual([2, expect.stringContaining('a pipe can be read once')]);
    expect(await statuses()).toEqual({});
  });

  it('ends with 1 with --resolve-gone when the service does not return the tool', async () => {
    const old = await startStubService();
    old.sends({ status: 201, json: { scan: {}, bySeverity: {} } });
    const files = ['front.sarif', 'back.sarif'].map((name) => join(folder, name));
    const choices = { url: old.url, env: { GITHUB_ACTIONS: 'true' } };
    const { code, stderr } = await runClient(['scans', 'import', ...files, '--resolve-gone'], choices);
    expect([code, stderr]).toEqual([1, expect.stringContaining('import the reports one by one')]);
    const queries = old.received.map(({ path }) => new URL(path, old.url).searchParams.get('dryRun'));
    expect(queries).toEqual(['true']);
    await old.close();
  });
});
