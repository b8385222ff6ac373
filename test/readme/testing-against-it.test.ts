import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const run = promisify(execFile);
/** Without what this run of Jest and npm set for themselves. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(npm_|JEST_|NODE_OPTIONS$|NODE_ENV$|DATABASE_URL|TEST_)/.test(name),
  ),
);

let folder: string;
let suite: string;
beforeAll(async () => {
  const page = await readFile('docs/testing-against-it.md', 'utf8');
  folder = await mkdtemp(join(tmpdir(), 'store-outside-'));
  suite = join(folder, 'my-tests');
  await mkdir(suite);
  await symlink(resolve('.'), join(folder, 'store-service'));
  await symlink(resolve('node_modules'), join(suite, 'node_modules'));
  for (const [, name = '', text = ''] of page.matchAll(/`([\w.]+)`:\n\n```\w+\n([\s\S]*?)```/g)) {
    // Machines of tests are busy.
    await writeFile(join(suite, name), text.replaceAll('60_000', '240_000'));
  }
  await run(process.execPath, ['-e', "import('./scripts/build-if-stale.mjs').then((m) => m.buildIfStale())"], { env });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('docs/testing-against-it.md', () => {
  it('prints a suite that passes by Jest in an empty folder', async () => {
    const jest = ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', '--json', '--silent', '--runInBand'];
    const { stdout } = await run(process.execPath, jest, { cwd: suite, env, maxBuffer: 2 ** 24 });
    const result = JSON.parse(stdout.split('\n').find((line) => line.includes('"numPassedTests"')) ?? '{}') as object;
    expect(result).toMatchObject({ numFailedTests: 0, numPassedTests: 5, numPassedTestSuites: 3 });
  }, 600_000);
});
