import { describe, expect, it } from '@jest/globals';
import { csvOf } from '../../src/parts/csv.js';

const columns = [{ key: 'n', title: 'Number', text: (n: number) => n }];

/** Endless pages of three rows; counts how many were requested. */
function endless() {
  const asked = { pages: 0 };
  async function* pages() {
    for (let n = 0; ; n += 3) {
      asked.pages++;
      yield [n, n + 1, n + 2];
    }
  }
  return { asked, pages: pages() };
}

describe('csvOf', () => {
  it('stops at its limit, says that the rest is missing, and requests no page beyond it', async () => {
    const { asked, pages } = endless();
    const told: number[] = [];
    const { parts, count, isWhole } = await csvOf(columns, pages, (so) => told.push(so), 7);
    expect(parts.join('')).toBe('Number\r\n0\r\n1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n');
    expect({ count, isWhole, told, asked: asked.pages }).toEqual({
      count: 7,
      isWhole: false,
      told: [3, 6, 7],
      asked: 3,
    });
  });

  it('has all rows if they end at the limit', async () => {
    async function* pages() {
      yield [1, 2];
      yield [3];
    }
    const { parts, isWhole } = await csvOf(columns, pages(), undefined, 3);
    expect([parts.join(''), isWhole]).toEqual(['Number\r\n1\r\n2\r\n3\r\n', true]);
  });

  it('writes no text that a spreadsheet would take for a formula, and quotes values with commas, quotes or line breaks', async () => {
    const texts = [{ key: 'text', title: 'Text', text: (text: string) => text }];
    async function* pages() {
      yield ['=1+1', '-2', 'a, b', 'say "so"', 'two\nlines'];
    }
    const { parts } = await csvOf(texts, pages());
    expect(parts.join('')).toBe('Text\r\n\'=1+1\r\n\'-2\r\n"a, b"\r\n"say ""so"""\r\n"two\nlines"\r\n');
  });
});
