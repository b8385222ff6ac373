import { describe, expect, it } from '@jest/globals';

// What a browser has, and not every Node.js.
Object.defineProperty(globalThis, 'navigator', { value: { language: 'en-US', languages: [] }, configurable: true });
const { asBytes, asCount, asMoney, asRelativeTime, counted } = await import('../../../../console/src/parts/format.js');

describe('asRelativeTime', () => {
  const now = Date.parse('2026-05-01T12:00:00Z');

  it.each([
    [-3, 'just now'],
    [9, 'just now'],
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

describe('Figures', () => {
  it('have separators, the currency of the shop, and the words that fit their number', () => {
    expect([asCount(1_234_567), asMoney(-1_234.5), counted(1, 'order'), counted(0, 'order')]).toEqual([
      '1,234,567',
      '-$1,234.50',
      '1 order',
      '0 orders',
    ]);
  });

  it('of bytes have the unit that keeps them short', () => {
    expect([0, 1_023, 1_024, 52_428_800].map(asBytes)).toEqual(['0 B', '1023 B', '1.0 KiB', '50.0 MiB']);
  });
});
