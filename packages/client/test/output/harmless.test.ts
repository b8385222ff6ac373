import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { harmlessJson, harmlessLine, harmlessText } from '../../src/output/harmless.js';
import { anyText } from '../../../../test/support/any-text.js';

const controls = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;

describe('text from elsewhere', () => {
  it('has no control characters on one line', () => {
    fc.assert(fc.property(anyText(), (text) => !controls.test(harmlessLine(text))));
  });

  it('has no control characters but line breaks and tabs on several lines', () => {
    fc.assert(fc.property(anyText(), (text) => !controls.test(harmlessText(text).replace(/[\n\t]/g, ''))));
  });

  it('keeps its value in JSON', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const json = harmlessJson(JSON.stringify(text));
        expect(JSON.parse(json)).toBe(text);
        expect(json).not.toMatch(controls);
      }),
    );
  });

  it('is unchanged when harmless', () => {
    expect(harmlessLine('Größe → 日本語 😀 \u0301')).toBe('Größe → 日本語 😀 \u0301');
  });
});
