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

  it('cuts the title last, and never the id', () => {
    expect(layout(95)).toEqual([3, 36, 15, 40]);
    expect(layout(75)).toEqual([3, 36, 11, 24]);
  });

  it('cuts the others from right to left', () => {
    const columns = [{ width: 10, least: 5 }, { width: 10, least: 5 }, title];
    expect(layoutOf(columns, 60, 0)?.widths).toEqual([10, 10, 40]);
    expect(layoutOf(columns, 56, 0)?.widths).toEqual([10, 6, 40]);
    expect(layoutOf(columns, 53, 0)?.widths).toEqual([8, 5, 40]);
    expect(layoutOf(columns, 40, 0)?.widths).toEqual([5, 5, 30]);
  });

  it('drops the optional columns when the rest does not fit', () => {
    expect(layout(70)).toEqual([2, 36, 32]);
    expect(layout(58)).toEqual([2, 36, 20]);
  });

  it('says so when nothing fits', () => {
    expect(layout(57)).toBeNull();
  });
});
