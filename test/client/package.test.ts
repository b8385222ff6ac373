import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import type { ClientRun } from '../support/client-process.js';
import { nodes } from '../support/nodes.js';
import { page, startStubService, type StubService } from '../support/stub-service.js';

/** Without the variables that `npm test` sets, by which npm would take this folder for the project. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_|^STORE_/i.test(name)));
const run = promisify(execFile);

let service: StubService;
let folder: string;
let installed: string;

beforeAll(async () => {
  service = await startStubService();
  folder = await mkdtemp(join(tmpdir(), 'store-client-package-'));
  await run(process.execPath, [resolve('packages/client/pack.mjs')], { cwd: folder, env });
  const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz')) ?? '';
  installed = join(folder, 'pipeline');
  await mkdir(installed);
  const options = ['--offline', '--no-audit', '--no-fund', '--cache', join(folder, 'cache'), '--prefix', installed];
  await run('npm', ['install', '-g', ...options, join(folder, tarball)], { cwd: installed, env });
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

/** Runs the installed command `store` on a given Node.js. */
async function storeBy(node: string, ...args: string[]): Promise<ClientRun> {
  const surroundings = { ...env, STORE_API_URL: service.url, STORE_API_KEY: 'ssk_x', GITHUB_ACTIONS: 'true' };
  const path = `${dirname(node)}${delimiter}${env['PATH'] ?? ''}`;
  const options = { cwd: installed, env: { ...surroundings, PATH: path } };
  return new Promise((done) => {
    execFile(join(installed, 'bin/store'), args, options, (error, stdout, stderr) =>
      done({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

const store = (...args: string[]) => storeBy(process.execPath, ...args);

describe.each(nodes)('The package of the client on %s', (node) => {
  it('queries the service, and imports a report', async () => {
    expect(await storeBy(node, '--version')).toEqual({ code: 0, stdout: expect.stringMatching(/^store /), stderr: '' });
    service.sends(page([]));
    expect(await storeBy(node, 'issues', 'list', '-o', 'json')).toEqual({ code: 0, stdout: '[]\n', stderr: '' });
    expect(service.received.map(({ path }) => path.split('?')[0])).toEqual(['/api/v1/issues']);
    service.sends({ status: 201, json: { scan: { id: 'one' } } });
    await writeFile(join(installed, 'large.sarif'), ' '.repeat(100_000));
    const { code, stderr } = await storeBy(node, 'scans', 'import', 'large.sarif', '-o', 'json');
    expect([code, stderr]).toEqual([0, '']);
    expect(service.received.map(({ bytes }) => gunzipSync(bytes).length)).toEqual([100_000]);
  });
});

describe('The package of the client', () => {
  it('installs without dependencies, and prints its help', async () => {
    const { code, stdout, stderr } = await store('--help');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^Usage: store \[options\] \[command\]\n/);
    const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
    expect((await store('--version')).stdout).toBe(`store ${version}\n`);
  });

  it.each([
    ['as installed', () => join(installed, 'bin/store'), ['rolldown', 'store.cjs']],
    ['as built in the project', () => resolve('packages/client/bin/store.cjs'), ['rolldown', 'store.cjs', 'store.cjs']],
  ])(
    '%s, loads no part of a command for its help, nor what Node.js runs processes or loads modules with',
    async (_, command, parts) => {
      const listing = join(installed, 'listing.cjs');
      const lists = '{ files: Object.keys(require.cache), builtins: process.moduleLoadList }';
      await writeFile(listing, `process.on('exit', () => require('fs').writeSync(2, JSON.stringify(${lists})));`);
      const surroundings = { ...env, NODE_OPTIONS: `--require ${listing}` };
      const { stderr } = await run(command(), ['--help'], { env: surroundings });
      const { files, builtins } = JSON.parse(stderr) as { files: string[]; builtins: string[] };
      const names = files.filter((file) => file !== listing).map((file) => basename(file).replace(/-.*/, ''));
      expect(names.sort()).toEqual(parts);
      expect(builtins.filter((name) => /child_process|crypto|http|\besm\/load\b|readline|zlib/.test(name))).toEqual([]);
    },
  );

  it('reads the policy of a gate', async () => {
    await writeFile(join(installed, 'gate.yml'), 'failsOn: high');
    await writeFile(join(installed, 'report.sarif'), '{}');
    const { code, stderr } = await store('scans', 'import', 'report.sarif', '--policy', 'gate.yml');
    expect([code, stderr]).toEqual([2, 'store: gate.yml: the policy has no key failsOn: did you mean failOn?\n']);
  });
});
