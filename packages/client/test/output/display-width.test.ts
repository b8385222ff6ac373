import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cutToWidth, displayWidth } from '../../src/output/display-width.js';
import { harmlessLine } from '../../src/output/harmless.js';
import { anyText } from '../../../../test/support/any-text.js';

describe('displayWidth', () => {
  it.each([
    ['', 0],
    ['plain', 5],
    ['Größe', 5],
    ['e\u0301', 1],
    ['日本語', 6],
    ['한국', 4],
    ['😀', 2],
    ['👨‍👩‍👧', 2],
    ['a\u200bb', 2],
    ['❤️', 2],
    ['…', 1],
  ])('of %j is %d', (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });
});

describe('cutToWidth', () => {
  it('never exceeds the width, and keeps a text that fits', () => {
    fc.assert(
      fc.property(anyText().map(harmlessLine), fc.integer({ min: 1, max: 30 }), (text, width) => {
        const cut = cutToWidth(text, width);
        expect(displayWidth(cut)).toBeLessThanOrEqual(width);
        expect(cut === text).toBe(displayWidth(text) <= width);
      }),
    );
  });

  it('does not cut a character in half', () => {
    expect(cutToWidth('ab😀😀', 5)).toBe('ab😀…');
    expect(cutToWidth('ab😀😀', 4)).toBe('ab…');
  });
});
