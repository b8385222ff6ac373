import { describe, expect, it } from '@jest/globals';
import { choosePrimary, type HostState } from '../../../../src/connections/failover/primary-choice.js';

const standby = { isStandby: true } as const;
const primary = (timeline: number) => ({ isStandby: false, timeline }) as const;

describe('The primary among hosts', () => {
  it.each<
    [string, [HostState, HostState], current: 'a' | 'b' | undefined, seen: number, chosen: 'a' | 'b' | undefined]
  >([
    ['is the one that is not a standby', [standby, primary(1)], 'a', 1, 'b'],
    ['is the one that responds', [null, primary(1)], 'a', 1, 'b'],
    ['is the one with the highest timeline', [primary(1), primary(2)], 'a', 1, 'b'],
    ['is not one that was left behind', [primary(1), null], 'a', 2, undefined],
    ['is none if all are standbys', [standby, standby], 'a', 1, undefined],
    ['is the current one of two equals', [primary(2), primary(2)], 'b', 2, 'b'],
    ['is neither of two equals if neither is current', [primary(2), primary(2)], undefined, 0, undefined],
  ])('%s', (_, [a, b], current, seen, chosen) => {
    const states = new Map([
      ['a', a],
      ['b', b],
    ]);
    expect(choosePrimary(states, current, seen)?.host).toBe(chosen);
  });
});
