import { isUtf8 } from 'node:buffer';
import { Invalid } from '../../common/errors/invalid.js';
import { isTooDeep, maxJsonDepth } from '../../common/http/json-depth.js';
import { LineSplitter, type Splitter } from '../../common/http/json-splitters.js';

/** One line, or element of the array: what it holds, or what is wrong with it. */
export type NucleiElement = { value: unknown } | { fault: string };

const maxElementBytes = 4 * 2 ** 20;
const byteOrderMark = /^\ufeff/;

const quote = 0x22;
const backslash = 0x5c;
const openArray = 0x5b;
const closeArray = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/**
 * The objects of an array: exports of several versions lack a comma between them, or have one too many, so what stands
 * between objects is passed over.
 */
export class ObjectSplitter implements Splitter {
  pendingBytes = 0;
  private pieces: Buffer[] = [];
  private depth = 0;
  private quoted = false;
  private escaped = false;
  private state: 'before' | 'within' | 'after' = 'before';

  push(chunk: Buffer): Buffer[] {
    const found: Buffer[] = [];
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0;
      if (this.depth === 0) {
        if (this.startsHere(byte)) from = at;
      } else if (this.endsHere(byte)) {
        found.push(this.finish(chunk.subarray(from, at + 1)));
      }
    }
    if (this.depth > 0) this.keep(chunk.subarray(from));
    return found;
  }

  end(): Buffer[] {
    if (this.state === 'after') return [];
    throw Invalid.at(['body'], 'json_invalid', 'The report is not valid JSON: it ends too early');
  }

  private startsHere(byte: number): boolean {
    if (this.state === 'before') {
      if (byte === openArray) this.state = 'within';
      return false;
    }
    if (isBetween(byte)) return false;
    if (this.state === 'within' && byte === closeArray) {
      this.state = 'after';
      return false;
    }
    if (this.state !== 'within' || byte !== openObject) throw strange(this.state);
    this.depth = 1;
    return true;
  }

  private endsHere(byte: number): boolean {
    if (this.quoted) {
      if (this.escaped) this.escaped = false;
      else if (byte === backslash) this.escaped = true;
      else if (byte === quote) this.quoted = false;
    } else if (byte === quote) this.quoted = true;
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
    return whole;
  }
}

/** Spaces and commas. */
function isBetween(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09 || byte === 0x2c;
}

function strange(state: string): Invalid {
  const where = state === 'after' ? 'something follows the array' : 'the array holds something else than objects';
  return Invalid.at(['body'], 'json_invalid', `The report is no array of findings: ${where}`);
}

function elementOf(bytes: Buffer): NucleiElement[] {
  if (bytes.length > maxElementBytes) return [{ fault: `is larger than ${maxElementBytes / 2 ** 20} MiB` }];
  if (!isUtf8(bytes)) return [{ fault: 'is not valid UTF-8' }];
  const text = bytes.toString().replace(byteOrderMark, '').trim();
  if (text === '') return [];
  if (isTooDeep(bytes)) return [{ fault: `is nested deeper than ${maxJsonDepth} levels` }];
  try {
    return [{ value: JSON.parse(text) as unknown }];
  } catch {
    return [{ fault: 'is not valid JSON' }];
  }
}

/** Whether the report is an array, rather than lines. */
async function isArray(chunks: AsyncIterable<Buffer>): Promise<boolean> {
  let start = '';
  for await (const chunk of chunks) {
    start += chunk
      .toString('latin1')
      .replace(/^\xef\xbb\xbf/, '')
      .trimStart();
    const [, bracket, inside] = /^(\[)?\s*(\S)?/.exec(start) ?? [];
    // Tools log lines such as "[INF] ..." among the findings.
    if (!bracket && start !== '') return false;
    if (inside) return inside === '{' || inside === ']';
  }
  return false;
}

/** The lines of a report, blank ones left out, or the elements where it is an array. */
export async function* nucleiElements(bytes: () => AsyncIterable<Buffer>): AsyncGenerator<NucleiElement[]> {
  const splitter: Splitter = (await isArray(bytes())) ? new ObjectSplitter() : new LineSplitter();
  for await (const chunk of bytes()) {
    const elements = splitter.push(chunk).flatMap(elementOf);
    if (elements.length > 0) yield elements;
  }
  const last = splitter.end().flatMap(elementOf);
  if (last.length > 0) yield last;
}
