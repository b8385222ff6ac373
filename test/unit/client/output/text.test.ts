import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { columnWidths } from '../../../../src/client/output/column-widths.js';
import { cutToWidth, displayWidth } from '../../../../src/client/output/display-width.js';
import { harmlessJson, harmlessLine, harmlessText } from '../../../../src/client/output/harmless.js';

const anyText = fc.string({ unit: 'binary' });
const controls = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;

describe('text from elsewhere', () => {
  it('has no control character left in a line', () => {
    fc.assert(fc.property(anyText, (text) => !controls.test(harmlessLine(text))));
  });

  it('has none but line breaks and tabs left in a text', () => {
    fc.assert(fc.property(anyText, (text) => !controls.test(harmlessText(text).replace(/[\n\t]/g, ''))));
  });

  it('keeps its value in JSON', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const json = harmlessJson(JSON.stringify(text));
        expect(JSON.parse(json)).toBe(text);
        expect(json).not.toMatch(controls);
      }),
    );
  });

  it('stays as it is where it is harmless', () => {
    expect(harmlessLine('Größe → 日本語 😀 \u0301')).toBe('Größe → 日本語 😀 \u0301');
  });
});

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
  it('never answers more than the width, and all of it where it fits', () => {
    fc.assert(
      fc.property(anyText.map(harmlessLine), fc.integer({ min: 1, max: 30 }), (text, width) => {
        const cut = cutToWidth(text, width);
        expect(displayWidth(cut)).toBeLessThanOrEqual(width);
        expect(cut === text).toBe(displayWidth(text) <= width);
      }),
    );
  });

  it('does not halve a character', () => {
    expect(cutToWidth('ab😀😀', 5)).toBe('ab😀…');
    expect(cutToWidth('ab😀😀', 4)).toBe('ab…');
  });
});

describe('columnWidths', () => {
  const columns = [
    { width: 36, least: 9 },
    { width: 7, least: 7 },
    { width: 40, least: 20 },
  ];

  it('gives the last column what is left', () => {
    expect(columnWidths(columns, 100)).toEqual([36, 7, 57]);
  });

  it('cuts from the right to the left', () => {
    expect(columnWidths(columns, 70)).toEqual([36, 7, 27]);
    expect(columnWidths(columns, 50)).toEqual([23, 7, 20]);
  });

  it('leaves each column its least', () => {
    expect(columnWidths(columns, 10)).toEqual([9, 7, 20]);
  });
});
