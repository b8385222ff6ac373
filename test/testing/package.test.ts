import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import '../support/built-service.js';

const run = promisify(execFile);
/** Without what this run of Jest and npm set for themselves. */
const env = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(npm_|JEST_|NODE_OPTIONS$|NODE_ENV$|DATABASE_URL|TEST_)/.test(name),
    ),
  ),
  STORE_SERVICE: resolve('.'),
  PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1',
  NO_COLOR: '1',
};
const quiet = ['--no-audit', '--no-fund', '--prefer-offline'];
const patienceMs = 600_000;

let folder: string;
let tarball: string;
/** The files that the README prints. */
let printed: Map<string, string>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'store-testing-package-'));
  await run('npm', ['pack', resolve('packages/testing')], { cwd: folder, env });
  tarball = join(folder, (await readdir(folder)).find((name) => name.endsWith('.tgz')) ?? '');
  const page = await readFile('packages/testing/README.md', 'utf8');
  const found = page.matchAll(/`([\w.]+)`:\n\n```\w+\n([\s\S]*?)```/g);
  printed = new Map(Array.from(found, ([, name = '', text = '']) => [name, text]));
}, patienceMs);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** An empty folder with these files and packages. */
async function suiteOf(name: string, files: Record<string, string>, packages: string[]): Promise<string> {
  const suite = join(folder, name);
  await mkdir(suite);
  await writeFile(join(suite, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  for (const [file, text] of Object.entries(files)) await writeFile(join(suite, file), text);
  await run('npm', ['install', ...quiet, ...packages, tarball], { cwd: suite, env });
  return suite;
}

/** Whether packages can be had: a machine that is cut off from the registry runs the project's own Jest alone. */
async function isRegistryThere(): Promise<boolean> {
  const asked = run('npm', ['view', 'vitest@4', 'version', '--fetch-retries=0', '--fetch-timeout=10000'], { env });
  return asked.then(
    () => true,
    () => false,
  );
}

const textOf = (name: string): string => printed.get(name) ?? '';
const vitestImports = "import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';\n";

describe('The package @store-service/testing', () => {
  it('runs the ten tests of its README by Jest', async () => {
    const suite = await suiteOf('jest', { 'store.test.mjs': textOf('store.test.mjs') }, ['--offline']);
    const jest = ['--experimental-vm-modules', resolve('node_modules/jest/bin/jest.js'), '--rootDir', suite];
    const options = ['--testMatch', '**/*.test.mjs', '--testTimeout', '240000', '--json', '--silent'];
    const { stdout } = await run(process.execPath, [...jest, ...options], { cwd: suite, env, maxBuffer: 2 ** 24 });
    const result = JSON.parse(stdout.split('\n').find((line) => line.includes('"numPassedTests"')) ?? '{}') as object;
    expect(result).toMatchObject({ numFailedTests: 0, numPassedTests: 10 });
  }, 600_000);

  it('runs them by Vitest, and ten of Playwright, where the registry can be reached', async () => {
    expect(textOf('fixtures.mjs')).toContain('storeFixtures(');
    if (!(await isRegistryThere())) return;
    const vitest = { 'store.test.mjs': vitestImports + textOf('store.test.mjs') };
    const first = await suiteOf('vitest', vitest, ['vitest@4']);
    const program = [join(first, 'node_modules/vitest/vitest.mjs'), 'run', '--testTimeout', '240000'];
    expect((await run(process.execPath, program, { cwd: first, env })).stdout).toMatch(/Tests\s+10 passed \(10\)/);

    const files = ['fixtures.mjs', 'shop.spec.mjs'].map((name) => [name, textOf(name)]);
    const fixtures = Object.fromEntries(files) as Record<string, string>;
    const second = await suiteOf('playwright', fixtures, ['@playwright/test@1']);
    const playwright = [join(second, 'node_modules/@playwright/test/cli.js'), 'test', '--timeout', '240000'];
    expect((await run(process.execPath, playwright, { cwd: second, env })).stdout).toMatch(/10 passed/);
  }, 900_000);

  it('leaves nothing of a service whose suite is killed', async () => {
    const killed = `
      import { startStore } from '@store-service/testing';
      const store = await startStore({ service: process.env.STORE_SERVICE, readySeconds: 240 });
      console.log(store.pid);
      setInterval(() => undefined, 1000);`;
    const suite = await suiteOf('killed', { 'suite.mjs': killed }, ['--offline']);
    const child = execFile(process.execPath, ['suite.mjs'], { cwd: suite, env });
    const pid = await new Promise<number>((done) => child.stdout?.once('data', (text) => done(Number(text))));
    child.kill('SIGKILL');
    const isAlive = (): boolean => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    };
    const places = async () =>
      (await Promise.all(['/dev/shm', tmpdir()].map((place) => readdir(place).catch(() => [])))).flat();
    while (isAlive()) await new Promise((done) => setTimeout(done, 100));
    expect((await places()).filter((name) => name.startsWith(`store-service-ephemeral-${pid}-`))).toEqual([]);
  }, 600_000);
});
