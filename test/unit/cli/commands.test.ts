import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { checkArguments, usage } from '../../../src/cli/commands.js';
import { projectRoot } from '../../support/project-copy.js';
import '../../support/built-service.js';

/** What the program prints with these arguments, which must not start it. */
async function printed(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const options = { cwd: projectRoot, env: { PATH: process.env['PATH'] }, timeout: 60_000 };
  const run = promisify(execFile)(process.execPath, ['scripts/start.mjs', ...args], options);
  return run.then(
    (output) => ({ code: 0, ...output }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
}

describe('The program of the service', () => {
  it('lists its commands with --help', async () => {
    expect(await printed('--help')).toEqual({ code: 0, stdout: `${usage}\n`, stderr: '' });
  });

  it('does not start by a command that it does not have', async () => {
    const { code, stdout, stderr } = await printed('--hepl');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe('\n"--hepl" is not a command of the service: see npm start -- --help\n\n');
  });

  it.each([
    [],
    ['--backup', 'a.backup'],
    ['--backup'],
    ['--restore', 'a.backup', '--replace'],
    ['--storage-move', '--dry-run'],
    ['--distribute', '--shards', '8', '--dry-run'],
    ['--demo-reset'],
  ])('takes %p %p %p %p', (...args) => {
    expect(() => checkArguments(args.filter((argument) => argument !== undefined))).not.toThrow();
  });

  it.each([
    ['backup'],
    ['--backups', 'a'],
    ['--demo-reset', 'now'],
    ['--backup', 'a', 'b'],
    ['-h'],
    [''],
    ['--help=1'],
  ])('refuses %p %p %p', (...args) => {
    expect(() => checkArguments(args.filter((argument) => argument !== undefined))).toThrow(/is not a command/);
  });

  it('names every option that its sources look for', async () => {
    const files = await readdir(join(projectRoot, 'src'), { recursive: true });
    const sources = files.filter((file) => file.endsWith('.ts') && !file.startsWith('client'));
    const texts = await Promise.all(sources.map((file) => readFile(join(projectRoot, 'src', file), 'utf8')));
    const asked = texts.flatMap((text) => text.match(/(?<=args\.(?:includes|indexOf)\(')--[a-z-]+/g) ?? []);
    expect(asked.length).toBeGreaterThan(6);
    expect(asked.filter((option) => !new RegExp(`${option}[ \\]]`).test(usage))).toEqual([]);
  });
});
