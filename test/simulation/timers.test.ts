import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';

/** Runs a piece of the simulator in a process of its own: it puts its timers and clock in the place of Node's. */
async function inSimulator(lines: string): Promise<unknown> {
  const script = `
    import { setTimeout as sleep } from 'node:timers/promises';
    import { randomUUID } from 'node:crypto';
    import { SimulatedClock } from './simulation/clock.ts';
    import { Random } from './simulation/random.ts';
    import { SimulatedTimers } from './simulation/timers.ts';
    import { Life, ruleChance, whereabouts } from './simulation/whereabouts.ts';
    const database = { query: async () => ({ rows: [] }) };
    const clock = new SimulatedClock();
    const timers = new SimulatedTimers(clock);
    clock.install();
    timers.install();
    ruleChance();
    const life = new Life(0, 1, new Random('life'));
    const inNode = (work) => whereabouts.run({ life }, work);
    const done = [];
    ${lines}
    console.log(JSON.stringify(done));
    process.exit(0);`;
  const args = ['--import', './scripts/ts-loader.mjs', '--input-type=module', '--eval', script];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout);
}

describe('the timers of simulated nodes', () => {
  it('are over in their order when the clock is turned, and not before', async () => {
    const done = await inSimulator(`
      inNode(() => {
        setTimeout(() => done.push('timeout'), 2_000);
        void sleep(1_000, 'slept').then((value) => done.push(value));
        clearTimeout(setTimeout(() => done.push('cleared'), 10));
      });
      done.push(timers.dueIn);
      await clock.advance(1_500, database);
      done.push(timers.dueIn);
      timers.fire();
      await sleep(1);
      done.push(timers.dueIn, performance.now());
      timers.fire();`);
    expect(done).toEqual([1_000, -500, 'slept', 500, 1_500, 'timeout']);
  });

  it('come again where they are repeated, and not after the end of their node', async () => {
    const done = await inSimulator(`
      inNode(() => setInterval(() => done.push('beat'), 100));
      timers.fire();
      done.push(timers.dueIn);
      timers.fire();
      life.hasEnded = true;
      timers.fire();
      done.push(timers.dueIn ?? 'none');`);
    expect(done).toEqual(['beat', 100, 'beat', 'none']);
  });

  it('are given up by their signal, and stand still when only the hands of the clock jump', async () => {
    const done = await inSimulator(`
      const ending = new AbortController();
      const slept = inNode(() => sleep(100, undefined, { signal: ending.signal })).catch((error) => done.push(error.name));
      await clock.jump(3_600_000, database);
      done.push(timers.dueIn);
      ending.abort();
      await slept;
      done.push(timers.dueIn ?? 'none');`);
    expect(done).toEqual([100, 'AbortError', 'none']);
  });
});

describe('the chance of simulated nodes', () => {
  it('is that of the seed within a node, and true elsewhere', async () => {
    const draw = `const made = () => [Math.random(), randomUUID()];
      done.push(inNode(made), made());`;
    const [one, other] = (await Promise.all([inSimulator(draw), inSimulator(draw)])) as [unknown[], unknown[]];
    expect(one[0]).toEqual(other[0]);
    expect(one[1]).not.toEqual(other[1]);
  });
});
