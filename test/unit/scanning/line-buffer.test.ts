import { describe, expect, it } from '@jest/globals';
import { LineBuffer } from '../../../src/scanning/line-buffer.js';

/** The lines of a text that arrives in pieces of this many bytes, through a buffer of so many. */
function linesOf(text: string, pieceBytes: number, bufferBytes: number): string[] {
  const buffer = new LineBuffer(bufferBytes);
  const bytes = Buffer.from(text);
  const lines: string[] = [];
  for (let from = 0; from < bytes.length;) {
    const room = buffer.room();
    const copied = bytes.copy(room.subarray(0, pieceBytes), 0, from);
    from += copied;
    lines.push(...buffer.lines(copied).map(String));
  }
  return lines;
}

describe('A line buffer', () => {
  const lines = ['one', '', 'ü'.repeat(30), 'x'.repeat(500), 'y', '', 'last'];
  const text = `${lines.join('\n')}\n`;

  it.each([1, 2, 7, 64, 1_000])('returns lines that arrive %i bytes at a time, whatever its size', (pieceBytes) => {
    for (const bufferBytes of [1, 16, 100, 4_096]) {
      expect(linesOf(text, pieceBytes, bufferBytes)).toEqual(lines);
    }
  });

  it('keeps what has not ended', () => {
    expect(linesOf(`${text}more`, 10, 64)).toEqual(lines);
  });

  it('reads into the same memory again', () => {
    const buffer = new LineBuffer(64);
    const first = buffer.room();
    first.write('line\nhalf');
    expect(buffer.lines(9).map(String)).toEqual(['line']);
    const next = buffer.room();
    expect(next.buffer).toBe(first.buffer);
    next.write(' a line\n');
    expect(buffer.lines(8).map(String)).toEqual(['half a line']);
  });
});
