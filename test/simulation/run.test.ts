import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { processesOf } from '../support/processes-of.js';
import { until } from '../support/receiver.js';

const simulate = (...args: string[]) =>
  promisify(execFile)(process.execPath, ['--enable-source-maps', 'scripts/simulate.mjs', ...args]);

describe('npm run simulate', () => {
  it('lives some minutes of a seed on two nodes, without faults, and finds nothing', async () => {
    const { stdout } = await simulate('--seed', '5', '--days', '0.015', '--calm');
    expect(stdout).toMatch(/^seed 5: fine; \d+ steps, \d+ entries, 0 faults, history [0-9a-f]{16}/m);
  }, 400_000);

  it('leaves neither a process nor a server behind where it is told to end in the midst of several seeds', async () => {
    const mark = `simulation-${randomUUID()}`;
    const args = ['--enable-source-maps', 'scripts/simulate.mjs', '--seed', '5', '--seeds', '2', '--calm'];
    const run = spawn(process.execPath, args, { stdio: 'ignore', env: { ...process.env, SIMULATION_MARK: mark } });
    const ended = once(run, 'close');
    let folder = '';
    await until(async () => {
      const lived = (await processesOf(mark)).find(({ command }) => command.includes('end-with-parent'));
      folder = `store-service-ephemeral-${lived?.pid}-`;
      return lived !== undefined;
    }, 'the process of the first seed');
    // Not what fills its folder, which ends by itself.
    const serves = ({ command }: { command: string }) => / -p \d+ /.test(command);
    await until(async () => (await processesOf(folder)).some(serves), 'its server');
    run.kill('SIGTERM');
    await ended;
    await until(async () => (await processesOf(mark, folder)).length === 0, 'the end of all');
  }, 400_000);

  it('writes the history of one seed alone', async () => {
    const several = simulate('--seed', '5', '--seeds', '2', '--history', 'none.jsonl');
    const refused = await several.catch((error: { code: number; stderr: string }) => error);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('--history takes one seed') });
  });

  it('tells its options, and refuses others with them', async () => {
    const { stdout } = await simulate('--help');
    for (const option of ['--seed N', '--replay N', '--mutant NAMES']) expect(stdout).toContain(option);
    const refused = await simulate('--sed', '7').catch((error: { code: number; stderr: string }) => error);
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toBe(`Unknown option '--sed'\n\n${stdout}`);
  });

  it('refuses what is no number', async () => {
    const refused = await simulate('--seed', 'seven').catch((error: { code: number; stderr: string }) => error);
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain('--seed takes a number, and not "seven"');
    const endless = simulate('--pause', '0').catch((error: { code: number; stderr: string }) => error);
    expect(await endless).toMatchObject({ code: 2, stderr: expect.stringContaining('--pause takes a number above 0') });
  });
});
