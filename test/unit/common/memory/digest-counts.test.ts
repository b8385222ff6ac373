import { describe, expect, it } from '@jest/globals';
import { DigestCounts } from '../../../../src/common/memory/digest-counts.js';

describe('Counts of texts', () => {
  it('tells how often each text has come', () => {
    const counts = new DigestCounts();
    const texts = Array.from({ length: 1_000 }, (_, at) => `${'long '.repeat(50)}${at}`);
    expect(texts.map((text) => counts.count(text))).toEqual(texts.map(() => 1));
    expect(texts.map((text) => counts.count(text))).toEqual(texts.map(() => 2));
    expect(['', '', texts[0] ?? '', ''].map((text) => counts.count(text))).toEqual([1, 2, 3, 3]);
  });
});
