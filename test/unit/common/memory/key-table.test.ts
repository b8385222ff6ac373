import { describe, expect, it } from '@jest/globals';
import { absent, KeyTable, keyWords } from '../../../../src/common/memory/key-table.js';

const many = 20_000;

/** Keys that differ in one word each, in a few bits, as identifiers that count up do. */
function keyAt(index: number): Uint32Array {
  const key = new Uint32Array(keyWords);
  key[index % keyWords] = 1 + Math.floor(index / keyWords);
  return key;
}

describe('A table of keys', () => {
  it('numbers keys in the order in which they come, each once, however many there are', () => {
    const table = new KeyTable();
    for (let index = 0; index < many; index++) expect(table.add(keyAt(index))).toBe(index);
    for (let index = 0; index < many; index++) expect(table.add(keyAt(index))).toBe(index);
    expect(table.size).toBe(many);
  });

  it('finds the keys that it has, and no others', () => {
    const table = new KeyTable();
    for (let index = 0; index < many; index += 2) table.add(keyAt(index));
    for (let index = 0; index < many; index++) {
      expect(table.find(keyAt(index))).toBe(index % 2 === 0 ? index / 2 : absent);
    }
  });

  it('returns the key of a number', () => {
    const table = new KeyTable();
    for (let index = 0; index < many; index++) table.add(keyAt(index));
    for (let index = 0; index < many; index += 97) expect(table.keyOf(index)).toEqual(keyAt(index));
  });

  it('keeps keys that differ by one bit apart, and those of zeros too', () => {
    const table = new KeyTable();
    const keys = [new Uint32Array(keyWords)];
    for (let word = 0; word < keyWords; word++) {
      for (let bit = 0; bit < 32; bit++) {
        const key = new Uint32Array(keyWords);
        key[word] = 1 << bit;
        keys.push(key);
      }
    }
    expect(keys.map((key) => table.find(key))).toEqual(keys.map(() => absent));
    expect(keys.map((key) => table.add(key))).toEqual(keys.map((_, index) => index));
  });
});
