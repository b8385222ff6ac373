import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';

const simulate = (...args: string[]) =>
  promisify(execFile)(process.execPath, ['--enable-source-maps', 'scripts/simulate.mjs', ...args]);

describe('npm run simulate', () => {
  it('lives some minutes of a seed on two nodes, without faults, and finds nothing', async () => {
    const { stdout } = await simulate('--seed', '5', '--days', '0.015', '--calm');
    expect(stdout).toMatch(/^seed 5: fine; \d+ steps, \d+ entries, 0 faults, history [0-9a-f]{16}/m);
  }, 400_000);

  it('refuses what is no number', async () => {
    const refused = await simulate('--seed', 'seven').catch((error: { code: number; stderr: string }) => error);
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain('--seed takes a number, and not "seven"');
  });
});
