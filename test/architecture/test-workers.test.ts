import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const { resolve: packaged } = createRequire(import.meta.url);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'store-test-workers-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** A test that writes down from where its worker ends. */
const testFile = (log: string) => `import { appendFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
it('passes', () => {
  process.once('exit', () => appendFileSync(${JSON.stringify(log)}, JSON.stringify(new Error('end').stack) + '\\n'));
  expect(1).toBe(1);
});
`;

describe('A worker of the test run', () => {
  it('ends at once, without first freeing all that it has loaded', async () => {
    const log = join(folder, 'ends.jsonl');
    for (const name of ['one', 'other']) await writeFile(join(folder, `${name}.test.ts`), testFile(log));
    const config = {
      rootDir: folder,
      runtime: resolve('test/support/jest/app-runtime.mjs'),
      testEnvironment: resolve('test/support/jest/app-environment.mjs'),
      testMatch: ['**/*.test.ts'],
      extensionsToTreatAsEsm: ['.ts'],
      transform: { '\\.ts$': packaged('@swc/jest') },
      workerIdleMemoryLimit: '2GB', // has Jest start workers even for two short files
    };
    const args = [
      '--experimental-vm-modules',
      packaged('jest/bin/jest'),
      '--config',
      JSON.stringify(config),
      '--maxWorkers=2',
    ];
    await promisify(execFile)(process.execPath, args, { cwd: folder });
    const ends = (await readFile(log, 'utf8')).trim().split('\n');
    expect(ends).toHaveLength(2);
    for (const end of ends) expect(end).toMatch(/\bexit \(node:internal/);
  });
});
