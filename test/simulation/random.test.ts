import { describe, expect, it } from '@jest/globals';
import { Random } from '../../simulation/random.js';

const some = (random: Random): number[] => Array.from({ length: 20 }, () => random.next());

describe('Random', () => {
  it('gives the same numbers for the same seed, and others for another', () => {
    expect(some(new Random('seed 1'))).toEqual(some(new Random('seed 1')));
    expect(some(new Random('seed 1'))).not.toEqual(some(new Random('seed 2')));
  });

  it('splits streams off that do not depend on what others have drawn', () => {
    const [quiet, busy] = [new Random('seed'), new Random('seed')];
    some(busy);
    some(busy.split('shopper-1'));
    expect(some(busy.split('shopper-2'))).toEqual(some(quiet.split('shopper-2')));
  });

  it('stays within its bounds, and reaches both of them', () => {
    const random = new Random('bounds');
    const drawn = new Set(Array.from({ length: 500 }, () => random.between(3, 7)));
    expect([...drawn].sort((one, other) => one - other)).toEqual([3, 4, 5, 6, 7]);
    expect(Array.from({ length: 500 }, () => random.next()).every((one) => one >= 0 && one < 1)).toBe(true);
  });

  it('chooses by weight', () => {
    const random = new Random('weights');
    const drawn = Array.from({ length: 1_000 }, () =>
      random.weighted([
        [9, 'often'],
        [1, 'rarely'],
        [0, 'never'],
      ]),
    );
    const count = (name: string): number => drawn.filter((one) => one === name).length;
    expect(count('never')).toBe(0);
    expect(count('often')).toBeGreaterThan(4 * count('rarely'));
    expect(count('rarely')).toBeGreaterThan(0);
  });
});
