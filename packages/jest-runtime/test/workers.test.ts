import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const { resolve: packaged } = createRequire(import.meta.url);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'store-test-workers-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs test files with the runtime of these tests; what Jest prints, and whether all passed. */
async function jest(name: string, files: Record<string, string>, more: object = {}) {
  const rootDir = join(folder, name);
  await mkdir(rootDir);
  for (const [file, code] of Object.entries(files)) await writeFile(join(rootDir, file), code);
  const config = {
    rootDir,
    runtime: fileURLToPath(new URL('../src/app-runtime.mjs', import.meta.url)),
    testEnvironment: fileURLToPath(new URL('../src/app-environment.mjs', import.meta.url)),
    testMatch: ['**/*.test.ts'],
    extensionsToTreatAsEsm: ['.ts'],
    transform: { '\\.ts$': packaged('@swc/jest') },
    ...more,
  };
  const args = ['--experimental-vm-modules', packaged('jest/bin/jest'), '--config', JSON.stringify(config)];
  const run = promisify(execFile)(process.execPath, [...args, '--maxWorkers=2'], { cwd: rootDir });
  return run.then(
    ({ stderr }) => ({ passed: true, output: stderr }),
    ({ stderr }: { stderr: string }) => ({ passed: false, output: stderr }),
  );
}

/** A test that writes down from where its worker ends. */
const endingFile = (log: string) => `import { appendFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
it('passes', () => {
  process.once('exit', () => appendFileSync(${JSON.stringify(log)}, JSON.stringify(new Error('end').stack) + '\\n'));
  expect(1).toBe(1);
});
`;

const strayFile = `import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
it('comes before', () => expect({ one: new TypeError('1') }).toEqual({ one: expect.any(TypeError) }));
it('throws late', async () => {
  setTimeout(() => { throw new Error('nobody caught'); }, 1);
  await sleep(100);
});
it('rejects unawaited', async () => {
  void Promise.reject(new Error('nobody awaited'));
  await sleep(100);
});
it('counts', () => expect.assertions(1));
it('comes after', () => expect(1).toBe(1));
describe('of a hook', () => {
  beforeAll(() => Promise.reject(new Error('hooked')));
  it('never begins', () => undefined);
});
`;

/** A module that imports another; two that import the same ones at once have them half linked by one another. */
const graph: Record<string, string> = {
  'inner.ts': `export const inner = 'inner';\n`,
  'outer.ts': `import { inner } from './inner.js';\nexport const outer = 'outer of ' + inner;\n`,
  'one.test.ts': `import { expect, it } from '@jest/globals';
it('imports', async () => {
  const [one, other, { inner }] = await Promise.all([import('./outer.js'), import('./outer.js'), import('./inner.js')]);
  expect([one.outer, other.outer, inner]).toEqual(['outer of inner', 'outer of inner', 'inner']);
});
`,
};

describe('A worker of the test run', () => {
  it('loads a module that several imports ask for at once', async () => {
    const { passed, output } = await jest('imports', graph);
    expect(output).not.toContain('must be');
    expect(passed).toBe(true);
  });

  it('ends at once, without first freeing all that it has loaded', async () => {
    const log = join(folder, 'ends.jsonl');
    const files = { 'one.test.ts': endingFile(log), 'other.test.ts': endingFile(log) };
    // The limit has Jest start workers even for two short files.
    expect(await jest('ends', files, { workerIdleMemoryLimit: '2GB' })).toMatchObject({ passed: true });
    const ends = (await readFile(log, 'utf8')).trim().split('\n');
    expect(ends).toHaveLength(2);
    for (const end of ends) expect(end).toMatch(/\bexit \(node:internal/);
  });

  it('knows to which test an error belongs', async () => {
    const { passed, output } = await jest('strays', { 'one.test.ts': strayFile }, { verbose: true });
    expect(passed).toBe(false);
    expect([...output.matchAll(/^ +([✓✕]) ([a-z ]+\w)/gm)].map(([, mark, title]) => `${mark} ${title}`)).toEqual([
      '✓ comes before',
      '✕ throws late',
      '✕ rejects unawaited',
      '✕ counts',
      '✓ comes after',
      '✕ never begins',
    ]);
    expect([...output.matchAll(/● (.+)\n\n +(.+)/g)].map(([, title, error]) => `${title}: ${error}`)).toEqual([
      'throws late: nobody caught',
      'rejects unawaited: nobody awaited',
      'counts: expect.assertions(1)',
      'of a hook › never begins: hooked',
    ]);
  });
});
