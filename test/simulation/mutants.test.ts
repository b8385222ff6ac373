import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { parse } from '@swc/core';
import { mutants, plant } from '../../simulation/mutants.js';

describe('the mutants of the simulator', () => {
  it.each(mutants)('$name stands for one change of a file, which is TypeScript afterwards', async ({ file, edits }) => {
    let text = readFileSync(`src/${file}`, 'utf8');
    for (const [before, after] of edits) {
      expect(text.split(before)).toHaveLength(2);
      text = text.replace(before, () => after);
    }
    await expect(parse(text, { syntax: 'typescript', decorators: true })).resolves.toMatchObject({ type: 'Module' });
  });

  it('have names of their own, which README.md lists', () => {
    const names = mutants.map(({ name }) => name);
    const listed = [...readFileSync('simulation/README.md', 'utf8').matchAll(/^\| `([a-z-]+)` +\|/gm)].map(
      ([, name]) => name,
    );
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(listed)).toEqual(new Set(names));
  });

  it('are planted by name, in one process and without a change of the tree', async () => {
    const file = 'src/platform/auth/known-tokens.ts';
    const before = readFileSync(file, 'utf8');
    const outlives = `
      import './scripts/ts-loader.mjs';
      const { plant } = await import('./simulation/mutants.ts');
      if (process.argv[1]) plant(process.argv[1]);
      const { KnownTokens } = await import('./${file}');
      const tokens = new KnownTokens();
      tokens.keep('Bearer old', { expiresAt: 1 });
      console.log(tokens.find('Bearer old') !== undefined);`;
    const said = async (...mutant: string[]) =>
      (await promisify(execFile)(process.execPath, ['--input-type=module', '-e', outlives, ...mutant])).stdout.trim();
    expect(await said('token-lives-on')).toBe('true');
    expect(await said()).toBe('false');
    expect(readFileSync(file, 'utf8')).toBe(before);
  }, 120_000);

  it('refuses a name that none has', () => {
    expect(() => plant('nobody')).toThrow('There is no mutant nobody: there are lock-less, ');
  });
});
