import { isUtf8 } from 'node:buffer';
import { Invalid } from '../../common/errors/invalid.js';
import { structureFault } from '../../common/http/json-depth.js';
import { LineSplitter, type Splitter } from '../../common/http/json-splitters.js';

/** One line, or element of the array: what it holds, or what is wrong with it. */
export type NucleiElement = { value: unknown } | { fault: string };

const maxElementBytes = 4 * 2 ** 20;
const byteOrderMark = /^\ufeff/;

const comma = 0x2c;
const quote = 0x22;
const backslash = 0x5c;
const openArray = 0x5b;
const closeArray = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/**
 * The elements of an array: exports of several versions lack a comma between them, or have one too many, so what stands
 * between elements is passed over.
 */
export class ElementSplitter implements Splitter {
  pendingBytes = 0;
  private pieces: Buffer[] = [];
  private depth = 0;
  private quoted = false;
  private escaped = false;
  private state: 'before' | 'between' | 'container' | 'text' | 'word' | 'after' = 'before';

  push(chunk: Buffer): Buffer[] {
    const found: Buffer[] = [];
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0;
      if (this.state === 'word' && !isInWord(byte)) found.push(this.finish(chunk.subarray(from, at)));
      if (this.isWithin) {
        if (this.endsHere(byte)) found.push(this.finish(chunk.subarray(from, at + 1)));
      } else if (this.startsHere(byte)) from = at;
    }
    if (this.isWithin) this.keep(chunk.subarray(from));
    return found;
  }

  end(): Buffer[] {
    if (this.state === 'after') return [];
    throw Invalid.at(['body'], 'json_invalid', 'The report is not valid JSON: it ends too early');
  }

  private get isWithin(): boolean {
    return this.state === 'container' || this.state === 'text' || this.state === 'word';
  }

  private startsHere(byte: number): boolean {
    if (this.state === 'before') {
      if (byte === openArray) this.state = 'between';
      return false;
    }
    if (isBetween(byte)) return false;
    if (this.state === 'after') {
      throw Invalid.at(['body'], 'json_invalid', 'The report is no array of findings: something follows the array');
    }
    if (byte === closeArray) {
      this.state = 'after';
      return false;
    }
    this.state = 'word';
    if (byte === quote) this.state = 'text';
    else if (byte === openObject || byte === openArray) this.state = 'container';
    this.depth = this.state === 'container' ? 1 : 0;
    this.quoted = this.state === 'text';
    return true;
  }

  private endsHere(byte: number): boolean {
    if (this.state === 'word') return false;
    if (this.quoted) {
      if (this.escaped) this.escaped = false;
      else if (byte === backslash) this.escaped = true;
      else if (byte === quote) this.quoted = false;
      return this.state === 'text' && !this.quoted;
    }
    if (byte === quote) this.quoted = true;
    else if (byte === openObject || byte === openArray) this.depth++;
    else if (byte === closeObject || byte === closeArray) return --this.depth === 0;
    return false;
  }

  private keep(piece: Buffer): void {
    this.pieces.push(piece);
    this.pendingBytes += piece.length;
  }

  private finish(last: Buffer): Buffer {
    const whole = this.pieces.length === 0 ? last : Buffer.concat([...this.pieces, last]);
    this.pieces = [];
    this.pendingBytes = 0;
    this.state = 'between';
    return whole;
  }
}

/** Spaces and commas. */
function isBetween(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09 || byte === comma;
}

/** Whether a number, `true` or whatever else stands bare goes on with it. */
function isInWord(byte: number): boolean {
  const ends = byte === quote || byte === openObject || byte === openArray || byte === closeArray;
  return !isBetween(byte) && !ends;
}

function elementOf(bytes: Buffer): NucleiElement[] {
  if (bytes.length > maxElementBytes) return [{ fault: `is larger than ${maxElementBytes / 2 ** 20} MiB` }];
  if (!isUtf8(bytes)) return [{ fault: 'is not valid UTF-8' }];
  const text = bytes.toString().replace(byteOrderMark, '').trim();
  if (text === '') return [];
  const fault = structureFault(bytes, '');
  if (fault !== null) return [{ fault }];
  try {
    return [{ value: JSON.parse(text) as unknown }];
  } catch {
    return [{ fault: 'is not valid JSON' }];
  }
}

/** A bracket and what may open an array's first element: tools log lines such as `[INF] ...` among the findings. */
const arrayStart = /^\[(?:[\]{["]|(?:-?\d[\d.eE+-]{0,30}|true|false|null)(?:[\s,\]]|$))/;
const startLength = 64;

/** Whether the report is an array, rather than lines. */
async function isArray(chunks: AsyncIterable<Buffer>): Promise<boolean> {
  let start = '';
  for await (const chunk of chunks) {
    start += chunk.toString('latin1');
    start = start.replace(/^\xef\xbb\xbf/, '').trimStart();
    if (start.startsWith('[')) start = `[${start.slice(1).trimStart()}`;
    else if (start !== '' && !start.startsWith('\xef')) return false;
    if (start.length > startLength) break;
  }
  return arrayStart.test(start);
}

/** The lines of a report, blank ones left out, or the elements where it is an array. */
export async function* nucleiElements(bytes: () => AsyncIterable<Buffer>): AsyncGenerator<NucleiElement[]> {
  const splitter: Splitter = (await isArray(bytes())) ? new ElementSplitter() : new LineSplitter();
  for await (const chunk of bytes()) {
    const elements = splitter.push(chunk).flatMap(elementOf);
    if (elements.length > 0) yield elements;
  }
  const last = splitter.end().flatMap(elementOf);
  if (last.length > 0) yield last;
}
