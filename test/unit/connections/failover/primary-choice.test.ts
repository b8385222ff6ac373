import { describe, expect, it } from '@jest/globals';
import { choosePrimary, type HostState } from '../../../../src/connections/failover/primary-choice.js';

const standby = { isStandby: true } as const;
const primary = (timeline: number) => ({ isStandby: false, timeline }) as const;

describe('The primary among hosts', () => {
  it.each<
    [string, [HostState, HostState], current: 'a' | 'b' | undefined, seen: number, chosen: 'a' | 'b' | undefined]
  >([
    ['is the one that is no standby', [standby, primary(1)], 'a', 1, 'b'],
    ['is the one that answers', [null, primary(1)], 'a', 1, 'b'],
    ['is the one of the highest timeline', [primary(1), primary(2)], 'a', 1, 'b'],
    ['is none that was left behind', [primary(1), null], 'a', 2, undefined],
    ['is none where all are standbys', [standby, standby], 'a', 1, undefined],
    ['is the current one of two that are equal', [primary(2), primary(2)], 'b', 2, 'b'],
    ['is neither of two that are equal where none is current', [primary(2), primary(2)], undefined, 0, undefined],
  ])('%s', (_, [a, b], current, seen, chosen) => {
    const states = new Map([
      ['a', a],
      ['b', b],
    ]);
    expect(choosePrimary(states, current, seen)?.host).toBe(chosen);
  });
});
