import { describe, expect, it } from '@jest/globals';
import { findExpressions, findSlowExpressions } from '../support/expressions.js';

// Whether all of src is linear, `npm run expressions` asks as a part of `npm run check`: it takes half a minute.
describe('The check of regular expressions', () => {
  it('finds those of src', () => {
    expect(findExpressions().length).toBeGreaterThan(100);
  });

  it.each([
    ['(a+)+$', 1],
    ['^(?:a|a)*$', 1],
    [',+$', 1],
    ['^[a-z]+(?:-[a-z]+)*$', 0],
  ])('takes /%s/ for slow: %i', async (pattern, count) => {
    const expression = { place: 'here:1', pattern, flags: '' };
    expect(await findSlowExpressions([expression])).toHaveLength(count);
  });
});
