import { beforeAll, describe, expect, it } from '@jest/globals';
import { asRelativeTime } from '../../src/parts/relative-time.js';
import { loadTexts } from '../../src/texts/texts.js';

beforeAll(() => loadTexts('en', ''));

describe('asRelativeTime', () => {
  const now = Date.parse('2026-05-01T12:00:00Z');

  it.each([
    [-3, 'just now'],
    [0, 'just now'],
    [2, 'in 2 sec.'],
    [9, 'in 9 sec.'],
    [-40, '40 sec. ago'],
    [-3_599, '1 hr. ago'],
    [-86_399, 'yesterday'],
    [86_400, 'tomorrow'],
    [7_200, 'in 2 hr.'],
    [-31 * 86_400, 'last mo.'],
  ])('tells %d seconds from now as people do', (seconds, text) => {
    expect(asRelativeTime(new Date(now + seconds * 1_000), now)).toBe(text);
  });
});
