import { describe, expect, it } from '@jest/globals';
import { between, pick, seededRandom } from '../src/random.js';

describe('seededRandom', () => {
  it('gives the same numbers for the same seed', () => {
    const [one, other] = [seededRandom(7), seededRandom(7)];
    expect(Array.from({ length: 50 }, one)).toEqual(Array.from({ length: 50 }, other));
  });

  it('spreads its numbers evenly from 0 to below 1', () => {
    const random = seededRandom(3);
    const buckets = Array.from({ length: 10 }, () => 0);
    for (let draw = 0; draw < 10_000; draw++) {
      const bucket = Math.floor(random() * 10);
      buckets[bucket] = (buckets[bucket] ?? 0) + 1;
    }
    expect(buckets).toHaveLength(10);
    for (const count of buckets) expect(Math.abs(count - 1000)).toBeLessThan(150);
  });
});

describe('pick', () => {
  it('picks the choices by their weight', () => {
    const random = seededRandom(5);
    const choices = [
      { value: 'often', weight: 9 },
      { value: 'never', weight: 0 },
      { value: 'seldom', weight: 1 },
    ];
    const taken = Array.from({ length: 2000 }, () => pick(random, choices));
    expect(taken).not.toContain('never');
    expect(taken.filter((value) => value === 'seldom').length).toBeGreaterThan(120);
    expect(taken.filter((value) => value === 'seldom').length).toBeLessThan(280);
  });

  it('refuses an empty list', () => {
    expect(() => pick(seededRandom(1), [])).toThrow('nothing to pick from');
  });
});

describe('between', () => {
  it('includes both ends', () => {
    const random = seededRandom(1);
    const taken = new Set(Array.from({ length: 200 }, () => between(random, 2, 4)));
    expect(taken).toEqual(new Set([2, 3, 4]));
  });
});
