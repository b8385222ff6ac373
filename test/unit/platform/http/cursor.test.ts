import { describe, expect, it } from '@jest/globals';
import { type CursorPosition, pageOf } from '../../../../src/platform/http/cursor.js';

const rows: CursorPosition[] = Array.from({ length: 20 }, (_, n) => ({ createdAt: new Date(n), id: `row-${n}` }));

function spin(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe('A page', () => {
  it('yields between rows that take long to map', async () => {
    let mapped = 0;
    const seenByOthers: number[] = [];
    const others = setInterval(() => seenByOthers.push(mapped), 1);
    const { data } = await pageOf(rows, 20, ({ id }) => {
      spin(6);
      mapped += 1;
      return id;
    });
    clearInterval(others);
    expect(data).toEqual(rows.map(({ id }) => id));
    expect(seenByOthers.filter((count) => count > 0 && count < 20).length).toBeGreaterThan(2);
  });

  it('ends with the cursor of its last row if there are more', async () => {
    expect(await pageOf(rows, 20, ({ id }) => id)).toMatchObject({ nextCursor: null });
    const { data, nextCursor } = await pageOf(rows, 19, ({ id }) => id);
    expect(data).toHaveLength(19);
    expect(Buffer.from(nextCursor ?? '', 'base64url').toString()).toBe('18_row-18');
  });
});
