import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { TooManyWaiting, Turns } from '../../../../src/common/crypto/turns.js';

describe('Turns', () => {
  it('never runs more at once than it lets', async () => {
    const turns = new Turns(3, 100);
    let [running, most] = [0, 0];
    const work = async (): Promise<void> => {
      most = Math.max(most, ++running);
      await sleep(1);
      running--;
    };
    await Promise.all(Array.from({ length: 40 }, () => turns.run(work)));
    expect(most).toBe(3);
  });

  it('runs first come, first served', async () => {
    const turns = new Turns(1, 100);
    const order: number[] = [];
    await Promise.all([1, 2, 3, 4].map((number) => turns.run(async () => order.push(number))));
    expect(order).toEqual([1, 2, 3, 4]);
  });

  it('turns away what would wait behind too many', async () => {
    const turns = new Turns(1, 1);
    const outcomes = await Promise.allSettled([1, 2, 3].map((number) => turns.run(async () => number)));
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect(outcomes[2]).toMatchObject({ reason: expect.any(TooManyWaiting) });
  });

  it('passes the turn on after work that fails', async () => {
    const turns = new Turns(1, 1);
    const failing = turns.run(() => Promise.reject(new Error('broken')));
    const next = turns.run(async () => 'next');
    await expect(failing).rejects.toThrow('broken');
    expect(await next).toBe('next');
  });
});
