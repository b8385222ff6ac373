import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { layoutOf } from '../../../../src/client/output/column-widths.js';
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

describe('layoutOf', () => {
  const id = { width: 36, least: 36 };
  const time = { width: 24, least: 11, mayGo: true };
  const title = { width: 40, least: 20 };
  const layout = (line: number) => {
    const found = layoutOf([id, time, title], line, 2);
    return found && [found.columns.length, ...found.widths];
  };

  it('gives the last column what is left', () => {
    expect(layout(120)).toEqual([3, 36, 24, 56]);
  });

  it('cuts from the right to the left, and the id never', () => {
    expect(layout(95)).toEqual([3, 36, 24, 31]);
    expect(layout(75)).toEqual([3, 36, 15, 20]);
  });

  it('does without what may go where the rest does not fit', () => {
    expect(layout(70)).toEqual([2, 36, 32]);
    expect(layout(58)).toEqual([2, 36, 20]);
  });

  it('says so where nothing fits', () => {
    expect(layout(57)).toBeNull();
  });
});
