import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { projectRoot } from '../../support/project-copy.js';

const rule = 'export const isShort = (left: number, asked: number) => left < asked;\n';
const testOf = (cases: string) => `
import { expect, it } from '@jest/globals';
import { isShort } from './rule.js';
it('is short', () => {
  ${cases}
});
`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'store-mutated-'));
  await writeFile(join(folder, 'rule.ts'), rule);
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs the script with this test; what it printed, and its exit code. */
async function mutate(cases: string): Promise<{ output: string; code: number }> {
  await writeFile(join(folder, 'rule.test.ts'), testOf(cases));
  const script = join(projectRoot, 'scripts/mutate.mjs');
  const args = [script, join(folder, 'rule.ts'), '--tests', join(folder, 'rule.test.ts')];
  const run = promisify(execFile)(process.execPath, args);
  return run.then(
    ({ stdout }) => ({ output: stdout, code: 0 }),
    ({ stdout, stderr, code }: { stdout: string; stderr: string; code: number }) => ({ output: stdout + stderr, code }),
  );
}

const sees = 'expect([isShort(1, 2), isShort(2, 1)]).toEqual([true, false]);';

describe('npm run mutate', () => {
  it('prints the mutants that no test sees, and leaves the file as it is', async () => {
    const { output, code } = await mutate(sees);
    expect(code).toBe(1);
    expect(output).toContain('2 mutants, 1 killed, 1 survived');
    expect(output).toContain(`  - ${rule.trim()}\n  + ${rule.trim().replace('<', '<=')}`);
    expect(await readFile(join(folder, 'rule.ts'), 'utf8')).toBe(rule);
  });

  it('succeeds where tests see each', async () => {
    const { output, code } = await mutate(`${sees} expect(isShort(1, 1)).toBe(false);`);
    expect([code, output]).toEqual([0, expect.stringContaining('2 mutants, 2 killed, 0 survived')]);
  });

  it('refuses tests that do not pass', async () => {
    const { output, code } = await mutate('expect(isShort(1, 2)).toBe(false);');
    expect([code, output]).toEqual([2, expect.stringContaining('The tests do not pass on the file as it is')]);
  });
});
