import { Tokenizer, TokenType } from '@streamparser/json';
import { JsonBounds } from './json-bounds.js';
import { endOfObject, isBlank, leaveOut } from './json-object-end.js';
import { type JsonSelection, JsonSelector } from './json-selector.js';

const firstBufferBytes = 128 * 1024;
const bufferSizes = { stringBufferSize: 64 * 1024, numberBufferSize: 1024 };
/** Waits for objects up to this length as a whole: they hold fewer values than the selector builds. */
const maxWaiting = 128 * 1024;

/** The bytes of an unusual element to read before looking for its end. */
const leastWithin = 4_096;

const openArray = 0x5b;
const comma = 0x2c;
const openObject = 0x7b;
const elementEnd = Buffer.from('},');
const none: ReadonlySet<string> = new Set();

/**
 * Reads a JSON document for a selector. It finds the objects of a selected list, nearly all of most reports, by their
 * brackets and gives them to JSON.parse, many times as fast as the tokenizer, which reads everything else.
 */
export class JsonReader {
  readonly selector: JsonSelector;
  private readonly tokenizer = new Tokenizer(bufferSizes);
  private readonly bounds = new JsonBounds();
  private readonly leftOut: ReadonlySet<string>;
  /** Holds the beginning of an object whose end has not arrived, and what comes next. */
  private buffer = Buffer.allocUnsafe(firstBufferBytes);
  private waitingBytes = 0;
  /** It is looked at again when it is twice as long, so that small pieces cost no more than large ones. */
  private enoughBytes = 0;
  /** Whether the tokenizer is between two tokens. */
  private isBetween = false;
  private taken = 0;
  private lastToken = 0;

  constructor(selection: JsonSelection) {
    this.selector = new JsonSelector(selection);
    this.leftOut = selection.leftOut ?? none;
    this.tokenizer.onToken = ({ token, value, offset }) => {
      this.lastToken = this.taken + offset;
      // Reading a character makes V8 flatten the string, which was gathered from small pieces.
      if (typeof value === 'string') value.charCodeAt(0);
      this.selector.write(token, value);
    };
  }

  /** The position of the last token, or of an object taken whole. */
  get position(): number {
    return this.lastToken;
  }

  write(piece: Buffer): void {
    this.wait(piece);
    if (this.waitingBytes < this.enoughBytes) return;
    const chunk = this.waited();
    for (let at = 0; at < chunk.length;) {
      at = this.takeObjects(chunk, at);
      if (this.waitingBytes > 0) return;
      const to = this.endOfSegment(chunk, at);
      if (to > at) this.tokenize(chunk.subarray(at, to));
      at = to;
    }
  }

  end(): void {
    if (this.waitingBytes > 0) this.tokenize(this.waited());
    this.tokenizer.end();
  }

  private wait(piece: Buffer): void {
    const bytes = this.waitingBytes + piece.length;
    if (bytes > this.buffer.length) this.buffer = Buffer.concat([this.buffer], Math.max(bytes, 2 * this.buffer.length));
    piece.copy(this.buffer, this.waitingBytes);
    this.waitingBytes = bytes;
  }

  private waited(): Buffer {
    const whole = this.buffer.subarray(0, this.waitingBytes);
    this.waitingBytes = 0;
    this.enoughBytes = 0;
    return whole;
  }

  private tokenize(segment: Buffer): void {
    this.tokenizer.write(this.bounds.pass(segment));
    const last = segment.at(-1);
    this.isBetween = this.bounds.isOutside && (last === comma || last === openArray);
  }

  /** Reads a few tokens before it is worthwhile to look for objects again. */
  private endOfSegment(chunk: Buffer, from: number): number {
    const { isInList, isWithin } = this.selector;
    if (!isInList && isWithin) return chunk.length;
    const found = isInList
      ? chunk.indexOf(elementEnd, from + (isWithin ? leastWithin : 0))
      : chunk.indexOf(openArray, from);
    return found < 0 ? chunk.length : found + (isInList ? elementEnd.length : 1);
  }

  /** Takes all objects that lie in the chunk as a whole; returns where the first one begins that does not. */
  private takeObjects(chunk: Buffer, from: number): number {
    if (!this.isBetween) return from;
    let at = from;
    for (let next = this.selector.nextWhole; next !== null; next = this.selector.nextWhole) {
      while (isBlank(chunk[at])) at++;
      const end = next === 'comma' ? this.pastComma(chunk, at) : this.pastObject(chunk, at);
      if (end === at) break;
      at = end;
    }
    this.taken += at - from;
    if (at > from) this.lastToken = this.taken;
    return at;
  }

  private pastComma(chunk: Buffer, at: number): number {
    if (chunk[at] !== comma) return at;
    this.selector.write(TokenType.COMMA, ',');
    return at + 1;
  }

  private pastObject(chunk: Buffer, at: number): number {
    if (chunk[at] !== openObject) return at;
    const end = endOfObject(chunk, at, this.selector.depthLeft);
    if (end === 'incomplete' && chunk.length - at <= maxWaiting) {
      this.wait(chunk.subarray(at));
      this.enoughBytes = 2 * this.waitingBytes;
    }
    if (typeof end === 'string' || end - at > 2 * maxWaiting) return at;
    if (this.selector.passesNext) {
      this.selector.take(null);
      return end;
    }
    try {
      const value: unknown = JSON.parse(chunk.toString('utf8', at, end));
      leaveOut(value, this.leftOut);
      this.selector.take(value);
      return end;
    } catch {
      // The tokenizer says where the fault is.
      return at;
    }
  }
}
