import { describe, expect, it } from '@jest/globals';
import { CopyMessage } from '../../../src/database/copy-message.js';

/** The lines of a message, by its own length. */
function linesOf({ bytes }: CopyMessage): string {
  expect(String.fromCharCode(bytes[0] ?? 0)).toBe('d');
  expect(bytes.readInt32BE(1)).toBe(bytes.length - 1);
  return bytes.toString('utf8', 5);
}

describe('A CopyData message', () => {
  it.each([
    ['no lines', []],
    ['one line', ['1\tone\n']],
    ['an empty line among others', ['1\n', '', '2\n']],
    ['characters of one to four bytes', ['a\u00e9\u20ac\u{1f600}\n', '\u20ac'.repeat(50_000)]],
    ['more than any memory before', ['x'.repeat(9 * 2 ** 20), 'y']],
    ['thousands of lines', Array.from({ length: 5_000 }, (_, n) => `${n}\t${'ü'.repeat(n % 300)}\n`)],
  ])('carries %s', (_, lines) => {
    expect(linesOf(CopyMessage.of(lines)) === lines.join('')).toBe(true);
  });

  it('replaces a surrogate that stands alone, as Node does', () => {
    expect(linesOf(CopyMessage.of(['a\ud800', 'b\n']))).toBe('a\ufffdb\n');
  });

  it('uses the memory of one that was released, and leaves nothing of it', () => {
    const first = CopyMessage.of(['first '.repeat(100)]);
    const memory = first.bytes.buffer;
    first.release();
    const second = CopyMessage.of(['second\n']);
    expect(second.bytes.buffer).toBe(memory);
    expect(linesOf(second)).toBe('second\n');
  });

  it('leaves those alone that were not released', () => {
    const held = Array.from({ length: 5 }, (_, n) => CopyMessage.of([`held ${n}\n`]));
    expect(new Set(held.map(({ bytes }) => bytes.buffer)).size).toBe(5);
    expect(held.map(linesOf)).toEqual([0, 1, 2, 3, 4].map((n) => `held ${n}\n`));
  });

  it('keeps little memory, however much was used', () => {
    const large = CopyMessage.of(['z'.repeat(8 * 2 ** 20)]);
    const memory = large.bytes.buffer;
    large.release();
    const next = Array.from({ length: 4 }, () => CopyMessage.of(['n']));
    expect(next.map(({ bytes }) => bytes.buffer)).not.toContain(memory);
  });
});
