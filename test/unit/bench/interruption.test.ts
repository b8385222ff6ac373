import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from '@jest/globals';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Spawns two programs that would last, prints their pids, and says which steps it runs. */
const program = `
  const { spawnChild, whenInterrupted } = await import('./bench/interruption.ts');
  whenInterrupted(() => console.log('first step'));
  whenInterrupted(() => Promise.reject(new Error('a step that fails')));
  const stay = () => spawnChild('sleep', ['60'], { stdio: 'ignore' });
  const [one, other] = [stay(), stay()];
  whenInterrupted(() => {
    console.log('last step');
    try { stay(); } catch (error) { console.log(error.message); }
  });
  console.log(one.pid, other.pid);
  setInterval(() => undefined, 1_000);
`;

let bench: ChildProcess | undefined;
afterEach(() => {
  bench?.kill('SIGKILL');
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('An interrupted benchmark', () => {
  it.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
    ['SIGHUP', 129],
  ] as const)('ends what it started by %s, the last first, and starts nothing more', async (signal, code) => {
    const args = ['--import', './scripts/ts-loader.mjs', '--input-type=module', '--eval', program];
    bench = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
    const lines = createInterface({ input: bench.stdout! })[Symbol.asyncIterator]();
    const pids = String((await lines.next()).value)
      .split(' ')
      .map(Number);
    expect(pids.map(isAlive)).toEqual([true, true]);
    const ended = once(bench, 'exit');
    bench.kill(signal);
    const said: unknown[] = [];
    for (let line = await lines.next(); !line.done; line = await lines.next()) said.push(line.value);
    expect(said).toEqual(['last step', 'The benchmark is interrupted', 'first step']);
    expect(await ended).toEqual([code, null]);
    expect(pids.map(isAlive)).toEqual([false, false]);
  });
});
