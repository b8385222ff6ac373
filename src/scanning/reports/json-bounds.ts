import { Invalid } from '../../common/errors/invalid.js';

// Unspecified: how long a number may be; 64 bits take 20 digits, and a double that is written out at most 1,075.
const maxNumberLength = 2_000;
/** The tokenizer keeps each `\u` escape as a string of its own; nothing that is kept of a report is as long. */
const maxUnicodeEscapes = 500_000;

const quote = 0x22;
const backslash = 0x5c;
const letterU = 0x75;

function isInNumber(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || byte === 0x2b || byte === 0x2d || byte === 0x2e || (byte | 0x20) === 0x65;
}

/**
 * What the tokenizer can gather without running out of memory: passes a JSON text on, without those `\u` escapes of a
 * string that are beyond half a million. Throws `Invalid` for a number of more than `maxNumberLength` characters.
 */
export class JsonBounds {
  private isQuoted = false;
  private isEscaped = false;
  private numberLength = 0;
  private escapes = 0;
  /** How much of an escape that is left out is still to come, its `u` and four digits. */
  private leftOut = 0;

  pass(chunk: Buffer): Buffer {
    const kept: Buffer[] = [];
    let from = this.leftOut > 0 ? chunk.length : 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0;
      if (!this.isQuoted) this.outside(byte);
      else if (this.leftOut > 0) {
        if (--this.leftOut === 0) from = at + 1;
      } else if (this.isEscaped) this.isEscaped = false;
      else if (byte === quote) this.isQuoted = false;
      else if (byte === backslash && !this.leavesOut(chunk, at)) this.isEscaped = true;
      else if (byte === backslash) {
        kept.push(chunk.subarray(from, at));
        from = chunk.length;
      }
    }
    if (kept.length === 0 && from === 0) return chunk;
    return Buffer.concat([...kept, chunk.subarray(from)]);
  }

  private outside(byte: number): void {
    if (byte === quote) {
      this.isQuoted = true;
      this.escapes = 0;
    }
    this.numberLength = isInNumber(byte) ? this.numberLength + 1 : 0;
    if (this.numberLength <= maxNumberLength) return;
    const sentence = `The report holds a number of more than ${maxNumberLength} characters`;
    throw Invalid.at(['body'], 'json_invalid', sentence);
  }

  /** Whether an escape is left out: one whose `u` the next chunk holds is passed on, which there is one of a chunk. */
  private leavesOut(chunk: Buffer, at: number): boolean {
    if (chunk[at + 1] !== letterU || ++this.escapes <= maxUnicodeEscapes) return false;
    this.leftOut = 5;
    return true;
  }
}
