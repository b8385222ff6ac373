import { Invalid } from '../errors/invalid.js';

/** Cuts a stream of bytes into elements: the texts of JSON values. */
export interface ElementSplitter {
  /** The bytes kept of an unfinished element. */
  readonly pendingBytes: number;
  /** The elements that the chunk completes. */
  push(chunk: Buffer): Buffer[];
  /** The rest when the stream has ended; throws `Invalid` if it ended too early. */
  end(): Buffer[];
}

const newline = 0x0a;
const quote = 0x22;
const comma = 0x2c;
const openArray = 0x5b;
const backslash = 0x5c;
const closeArray = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;
const byteOrderMark = new Set([0xef, 0xbb, 0xbf]);

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === newline || byte === 0x0d || byte === 0x09;
}

function isSeparator(byte: number | undefined): boolean {
  return byte === comma || isSpace(byte);
}

/** An unfinished element, collected from the chunks that it spans. */
class Pending {
  bytes = 0;
  private pieces: Buffer[] = [];

  add(piece: Buffer): void {
    if (piece.length === 0) return;
    this.pieces.push(piece);
    this.bytes += piece.length;
  }

  finish(last: Buffer): Buffer {
    if (this.bytes === 0) return last;
    const whole = Buffer.concat([...this.pieces, last]);
    this.pieces = [];
    this.bytes = 0;
    return whole;
  }
}

const nothing = Buffer.alloc(0);

/** Lines, with LF or CR LF; the last one may lack its end. Blank ones are empty. */
export class LineSplitter implements ElementSplitter {
  private readonly pending = new Pending();

  get pendingBytes(): number {
    return this.pending.bytes;
  }

  push(chunk: Buffer): Buffer[] {
    const lines: Buffer[] = [];
    let from = this.passBlank(chunk, 0, lines);
    for (let to = chunk.indexOf(newline, from); to >= 0; to = chunk.indexOf(newline, from)) {
      lines.push(trimmed(this.pending.finish(chunk.subarray(from, to))));
      from = this.passBlank(chunk, to + 1, lines);
    }
    this.pending.add(chunk.subarray(from));
    return lines;
  }

  end(): Buffer[] {
    const last = trimmed(this.pending.finish(nothing));
    return last.length > 0 ? [last] : [];
  }

  /** Skips blank lines, of which there may be millions. */
  private passBlank(chunk: Buffer, from: number, lines: Buffer[]): number {
    if (this.pending.bytes > 0) return from;
    let at = from;
    for (; isSpace(chunk[at]); at++) if (chunk[at] === newline) lines.push(nothing);
    return at;
  }
}

function trimmed(line: Buffer): Buffer {
  return line.every(isSpace) ? nothing : line;
}

export interface ArrayRules {
  /** The name of the array in messages. */
  name: string;
  /** Whether commas between elements may be missing or superfluous. */
  lenient: boolean;
}

/** The elements of one JSON array; the reader checks whether each is valid JSON. */
export class ArraySplitter implements ElementSplitter {
  private readonly name: string;
  private readonly lenient: boolean;
  private readonly pending = new Pending();
  private state: 'before' | 'within' | 'after' = 'before';
  private depth = 0;
  private quoted = false;
  private escaped = false;
  private elements = 0;

  constructor({ name, lenient }: ArrayRules = { name: 'body', lenient: false }) {
    this.name = name;
    this.lenient = lenient;
  }

  get pendingBytes(): number {
    return this.pending.bytes;
  }

  push(chunk: Buffer): Buffer[] {
    const found: Buffer[] = [];
    let from = this.state === 'before' ? this.open(chunk) : 0;
    if (this.state === 'within') from = this.split(chunk, from, found);
    if (this.state === 'within') this.pending.add(chunk.subarray(from));
    else if (this.state === 'after') this.assertEnd(chunk, from);
    return found;
  }

  end(): Buffer[] {
    if (this.state === 'before') {
      throw Invalid.at(['body'], 'missing', `The ${this.name} should be a JSON array, but is empty`);
    }
    if (this.state === 'within') throw this.invalid('it ends too early');
    return [];
  }

  /** Looks for the opening bracket; returns where the elements begin. */
  private open(chunk: Buffer): number {
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0;
      if (byte === openArray) {
        this.state = 'within';
        return at + 1;
      }
      if (!isSpace(byte) && !byteOrderMark.has(byte)) {
        throw Invalid.at(['body'], 'list_type', 'Input should be a valid list');
      }
    }
    return chunk.length;
  }

  /**
   * Cuts off the elements that end in the chunk; returns where the unfinished one, or what follows the array, begins.
   */
  private split(chunk: Buffer, start: number, found: Buffer[]): number {
    let from = start;
    for (let at = start; at < chunk.length; at++) {
      const byte = chunk[at];
      if (this.quoted || this.depth > 0) {
        if (this.quoted) at = this.passText(chunk, at);
        else this.step(byte);
        if (this.lenient && !this.quoted && this.depth === 0) {
          this.finish(chunk.subarray(from, at + 1), found);
          from = at + 1;
        }
      } else if (byte === closeArray) {
        this.finish(chunk.subarray(from, at), found, true);
        this.state = 'after';
        return at + 1;
      } else if (byte === comma || (this.lenient && isSpace(byte))) {
        this.finish(chunk.subarray(from, at), found);
        from = at + 1;
      } else if (byte === quote || byte === openObject || byte === openArray) {
        if (this.lenient) {
          this.finish(chunk.subarray(from, at), found);
          from = at;
        }
        this.step(byte);
      }
    }
    return from;
  }

  private step(byte: number | undefined): void {
    if (byte === quote) this.quoted = true;
    else if (byte === openObject || byte === openArray) this.depth++;
    else if (byte === closeObject || byte === closeArray) this.depth--;
  }

  /** Skips a text; returns the position of its closing quote, or the end of the chunk. */
  private passText(chunk: Buffer, start: number): number {
    let at = this.escaped ? start + 1 : start;
    for (; at < chunk.length; at++) {
      const byte = chunk[at];
      if (byte === backslash) at++;
      else if (byte === quote) {
        this.quoted = false;
        break;
      }
    }
    this.escaped = at > chunk.length;
    return Math.min(at, chunk.length);
  }

  private finish(last: Buffer, found: Buffer[], closing = false): void {
    const element = this.pending.finish(last);
    if (!element.every(isSpace)) found.push(element);
    else if (this.lenient) return;
    else if (!closing || this.elements > 0) {
      const sentence = `The ${this.name} is not valid JSON: an element is missing`;
      throw Invalid.at(['body', this.elements], 'json_invalid', sentence);
    }
    this.elements++;
  }

  private assertEnd(chunk: Buffer, from: number): void {
    if (!chunk.subarray(from).every(this.lenient ? isSeparator : isSpace)) {
      throw this.invalid('there is more after the array');
    }
  }

  private invalid(why: string): Invalid {
    return Invalid.at(['body'], 'json_invalid', `The ${this.name} is not valid JSON: ${why}`);
  }
}
