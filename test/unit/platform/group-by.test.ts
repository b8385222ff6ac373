import { expect, it } from '@jest/globals';
import { groupBy } from '../../../src/platform/group-by.js';

it('Things are grouped by their keys, in their order', () => {
  const groups = groupBy(['ada', 'bob', 'alan', 'eve', 'anna'], ([initial]) => initial);
  expect([...groups]).toEqual([
    ['a', ['ada', 'alan', 'anna']],
    ['b', ['bob']],
    ['e', ['eve']],
  ]);
  expect(groupBy([], String)).toEqual(new Map());
});
