import { Invalid } from '../../platform/errors/invalid.js';

// Unspecified: how long a number may be; 64 bits take 20 digits, and a double that is written out at most 1,075.
const maxNumberLength = 2_000;
/** The tokenizer keeps each `\u` escape as a string of its own. No text that we keep of a report is that long. */
const maxUnicodeEscapes = 500_000;

const quote = 0x22;
const backslash = 0x5c;
const letterU = 0x75;

function isInNumber(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || byte === 0x2b || byte === 0x2d || byte === 0x2e || (byte | 0x20) === 0x65;
}

/**
 * Protects the tokenizer's memory: passes a JSON text on without the `\u` escapes of a string beyond half a million.
 * Throws `Invalid` for a number of more than `maxNumberLength` characters.
 */
export class JsonBounds {
  private isQuoted = false;
  private isEscaped = false;
  private numberLength = 0;
  private escapes = 0;
  /** How many characters of an omitted escape are still to come: its `u` and four digits. */
  private omitted = 0;

  /** Whether the text passed on so far ends outside of any string. */
  get isOutside(): boolean {
    return !this.isQuoted;
  }

  pass(chunk: Buffer): Buffer {
    const kept: Buffer[] = [];
    let from = this.omitted > 0 ? chunk.length : 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0;
      if (!this.isQuoted) this.outside(byte);
      else if (this.omitted > 0) {
        if (--this.omitted === 0) from = at + 1;
      } else if (this.isEscaped) this.isEscaped = false;
      else if (byte === quote) this.isQuoted = false;
      else if (byte === backslash && !this.omits(chunk, at)) this.isEscaped = true;
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

  /** Whether to omit an escape. One that is cut at the end of a chunk passes, at most one a chunk. */
  private omits(chunk: Buffer, at: number): boolean {
    if (chunk[at + 1] !== letterU || ++this.escapes <= maxUnicodeEscapes) return false;
    this.omitted = 5;
    return true;
  }
}
