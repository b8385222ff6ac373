import { Invalid } from '../../../platform/errors/invalid.js';

// Unspecified: how long a number may be. 64 bits take 20 digits, and a double that is written out at most 1,075.
const maxNumberLength = 2_000;
// Unspecified: how deep a document may nest. Each level takes eight bytes of memory.
const maxLevels = 1_000_000;

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const backslash = 0x5c;
export const openArray = 0x5b;
const closeArray = 0x5d;
export const openObject = 0x7b;
const closeObject = 0x7d;
const letterU = 0x75;
const blanks = new Set(Buffer.from(' \n\r\t'));
const afterBackslash = new Set(Buffer.from('"\\/bfnrt'));
const hexDigits = new Set(Buffer.from('0123456789abcdefABCDEF'));
const byteOrderMark = Buffer.from('\ufeff');

/** The bytes of numbers, `true`, `false` and `null`, which have no end of their own. */
const bareBytes = Buffer.from('0123456789+-.eEtrufalsn');
const isBare = Uint8Array.from({ length: 256 }, (_, byte) => Number(bareBytes.includes(byte)));
const bareValue = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/;

type Expected = 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'comma or end' | 'nothing';

function invalidJson(sentence: string): Invalid {
  return Invalid.at(['body'], 'json_invalid', sentence);
}

/**
 * Finds where the keys and values of one JSON document (RFC 8259) begin and end, and keeps none of them. Throws
 * `Invalid` at the first byte that cannot stand if it does. Positions that it reports are those in the chunk.
 */
export abstract class JsonScanner {
  /** Whether each open container is an array. */
  private readonly areArrays: boolean[] = [];
  private expected: Expected = 'value';
  private token: 'none' | 'key' | 'text' | 'bare' = 'none';
  private bare = '';
  /** The number of missing bytes of an escape, five if its first byte is unknown. */
  private escapeLeft = 0;
  private bytesBefore = 0;

  /** The number of open containers whose values are reported. Nothing within deeper ones is. */
  protected level = 0;
  /** The number of values, and the depth of the deepest, since they were last set to 0. */
  protected values = 0;
  protected deepest = 0;

  /** A value begins with this byte; a container is not yet counted in `depth`. */
  protected abstract valueBegins(byte: number, at: number): void;
  protected abstract valueEnds(to: number): void;
  protected abstract keyBegins(at: number): void;
  protected abstract keyEnds(to: number): void;

  /** The number of open containers. */
  protected get depth(): number {
    return this.areArrays.length;
  }

  private get isInArray(): boolean {
    return this.areArrays[this.depth - 1] === true;
  }

  protected scan(chunk: Buffer): void {
    for (let at = 0; at < chunk.length;) {
      if (this.token === 'none') this.scanByte(chunk[at] ?? 0, at++);
      else at = this.token === 'bare' ? this.scanBare(chunk, at) : this.scanText(chunk, at);
    }
    this.bytesBefore += chunk.length;
  }

  protected end(): void {
    if (this.token === 'bare' && this.depth === 0) this.endBare(0);
    if (this.expected !== 'nothing') throw invalidJson('The report is not valid JSON: it ends too early');
  }

  private assert(fits: boolean, at: number): void {
    if (!fits) throw invalidJson(`The report is not valid JSON: see byte ${this.bytesBefore + at + 1}`);
  }

  /** Reads a byte between two tokens. */
  private scanByte(byte: number, at: number): void {
    if (byte === quote) this.beginText(at);
    else if (byte === comma) this.step('comma or end', this.isInArray ? 'value' : 'key', at);
    else if (byte === colon) this.step('colon', 'value', at);
    else if (byte === openArray || byte === openObject) this.openContainer(byte, at);
    else if (byte === closeArray || byte === closeObject) this.closeContainer(byte === closeArray, at);
    else if (!blanks.has(byte) && byteOrderMark[this.bytesBefore + at] !== byte) this.beginBare(byte, at);
  }

  private step(from: Expected, to: Expected, at: number): void {
    this.assert(this.expected === from, at);
    this.expected = to;
  }

  private beginValue(byte: number, at: number): void {
    this.assert(this.expected === 'value' || this.expected === 'value or end', at);
    this.values++;
    if (this.depth === this.level) this.valueBegins(byte, at);
  }

  private endValue(to: number): void {
    this.token = 'none';
    this.expected = this.depth > 0 ? 'comma or end' : 'nothing';
    if (this.depth <= this.level) this.valueEnds(to);
  }

  private openContainer(byte: number, at: number): void {
    this.beginValue(byte, at);
    if (this.depth === maxLevels) throw invalidJson(`The report is nested deeper than ${maxLevels} levels`);
    this.areArrays.push(byte === openArray);
    this.deepest = Math.max(this.deepest, this.depth);
    this.expected = byte === openArray ? 'value or end' : 'key or end';
  }

  private closeContainer(isArray: boolean, at: number): void {
    const isEmpty = this.expected === (isArray ? 'value or end' : 'key or end');
    this.assert((isEmpty || this.expected === 'comma or end') && this.areArrays.pop() === isArray, at);
    this.endValue(at + 1);
  }

  private beginText(at: number): void {
    const isKey = this.expected === 'key' || this.expected === 'key or end';
    if (!isKey) this.beginValue(quote, at);
    else if (this.depth === this.level) this.keyBegins(at);
    this.token = isKey ? 'key' : 'text';
  }

  private scanText(chunk: Buffer, from: number): number {
    if (this.escapeLeft > 0) return this.scanEscape(chunk[from] ?? 0, from);
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0;
      if (byte === quote) return this.endText(at + 1);
      if (byte === backslash) {
        this.escapeLeft = 5;
        return at + 1;
      }
      if (byte < 0x20) this.assert(false, at);
    }
    return chunk.length;
  }

  private scanEscape(byte: number, at: number): number {
    const isShort = this.escapeLeft === 5 && byte !== letterU;
    if (isShort) this.assert(afterBackslash.has(byte), at);
    else this.assert(this.escapeLeft === 5 || hexDigits.has(byte), at);
    this.escapeLeft = isShort ? 0 : this.escapeLeft - 1;
    return at + 1;
  }

  private endText(to: number): number {
    if (this.token === 'text') this.endValue(to);
    else {
      this.token = 'none';
      this.expected = 'colon';
      if (this.depth === this.level) this.keyEnds(to);
    }
    return to;
  }

  private beginBare(byte: number, at: number): void {
    this.assert(isBare[byte] === 1, at);
    this.beginValue(byte, at);
    this.token = 'bare';
    this.bare = String.fromCharCode(byte);
  }

  private scanBare(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0;
      if (isBare[byte] === 0) {
        this.endBare(at);
        return at;
      }
      this.bare += String.fromCharCode(byte);
      if (this.bare.length > maxNumberLength) {
        throw invalidJson(`The report holds a number of more than ${maxNumberLength} characters`);
      }
    }
    return chunk.length;
  }

  private endBare(to: number): void {
    this.assert(bareValue.test(this.bare), to - this.bare.length);
    this.endValue(to);
  }
}
