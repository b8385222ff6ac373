import { describe, expect, it } from '@jest/globals';
import { array, assert, asyncProperty, integer } from 'fast-check';
import { MemoryBudget } from '../../../../src/platform/concurrency/memory-budget.js';

const tick = () => new Promise((resolve) => setImmediate(resolve));

describe('MemoryBudget', () => {
  it('never gives out more than there is, and serves everybody', async () => {
    await assert(
      asyncProperty(array(integer({ min: 0, max: 150 }), { maxLength: 40 }), async (sizes) => {
        const budget = new MemoryBudget(100);
        let taken = 0;
        let most = 0;
        const work = async (bytes: number): Promise<number> => {
          taken += Math.min(bytes, 100);
          most = Math.max(most, taken);
          await tick();
          taken -= Math.min(bytes, 100);
          return bytes;
        };
        expect(await Promise.all(sizes.map((bytes) => budget.run(bytes, () => work(bytes))))).toEqual(sizes);
        expect(most).toBeLessThanOrEqual(100);
      }),
    );
  });

  it('does not let small requests overtake a larger one that waits', async () => {
    const budget = new MemoryBudget(100);
    const order: string[] = [];
    const done = (name: string, bytes: number) =>
      budget.run(bytes, async () => {
        await tick();
        order.push(name);
      });
    await Promise.all([done('first', 60), done('large', 90), done('small', 10)]);
    expect(order).toEqual(['first', 'large', 'small']);
  });

  it('gets back what failed work took', async () => {
    const budget = new MemoryBudget(100);
    await expect(budget.run(100, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await budget.run(100, () => Promise.resolve('done'))).toBe('done');
  });
});
