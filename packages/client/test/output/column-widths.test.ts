import { describe, expect, it } from '@jest/globals';
import { layoutOf } from '../../src/output/column-widths.js';

describe('layoutOf', () => {
  const id = { width: 36, least: 36 };
  const time = { width: 24, least: 11, mayGo: true };
  const title = { width: 40, least: 20 };
  const layout = (line: number) => {
    const found = layoutOf([id, time, title], line, 2);
    return found && [found.columns.length, ...found.widths];
  };

  it('gives the last column the remaining width', () => {
    expect(layout(120)).toEqual([3, 36, 24, 56]);
  });

  it('cuts from right to left, and never the id', () => {
    expect(layout(95)).toEqual([3, 36, 24, 31]);
    expect(layout(75)).toEqual([3, 36, 15, 20]);
  });

  it('drops the optional columns when the rest does not fit', () => {
    expect(layout(70)).toEqual([2, 36, 32]);
    expect(layout(58)).toEqual([2, 36, 20]);
  });

  it('says so when nothing fits', () => {
    expect(layout(57)).toBeNull();
  });
});
