import { maxJsonDepth } from '../../../platform/http/json-depth.js';
import { JsonPlace, type JsonSelection, type JsonStep } from './json-paths.js';
import { JsonScanner, openArray, openObject } from './json-scanner.js';

/**
 * A hit on a path: a container that opens there, a scalar where the path goes on, or the whole value at the path's end; null
 * with the fault where it is too large or too deep to be read.
 */
export type JsonHit =
  | { path: string; at: JsonStep[]; kind: 'array' | 'object' | 'scalar' }
  | { path: string; at: JsonStep[]; kind: 'value'; value: unknown; fault: string | null };

// Unspecified: how large a value may be. It is parsed in memory.
const maxValues = 200_000;
const maxBytes = 16 * 2 ** 20;

/** Only `null` begins with it. */
const letterN = 0x6e;

/** The bytes of a key, or of a value on a path, which arrive in one chunk or several. */
class Piece {
  private parts: Buffer[] = [];
  private bytes = 0;
  private fault: string | null = null;

  constructor(
    readonly place: JsonPlace | null,
    private from: number,
  ) {}

  /** Keeps the bytes of the chunk up to a position, unless the value exceeds a bound by then. */
  keep(chunk: Buffer, to: number, values: number, deepest: number): void {
    this.bytes += to - this.from;
    if (this.bytes > maxBytes || values > maxValues) this.fault ??= 'is too large';
    if (deepest > maxJsonDepth) this.fault ??= `is nested deeper than ${maxJsonDepth} levels`;
    if (this.fault === null) this.parts.push(chunk.subarray(this.from, to));
    else this.parts = [];
    this.from = 0;
  }

  parsed(): { value: unknown; fault: string | null } {
    const { parts, fault } = this;
    const bytes = parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
    return { value: fault === null ? JSON.parse(bytes.toString()) : null, fault };
  }
}

/** Finds the values on some paths of one JSON document while its bytes arrive, with at most one of them in memory. */
export class JsonReader extends JsonScanner {
  /** The number of values on the counted path. */
  counted = 0;
  private readonly root: JsonPlace;
  /** The open containers that lie on paths, each with its last key or index. */
  private readonly levels: { place: JsonPlace; step: JsonStep }[] = [];
  private piece: Piece | null = null;
  private chunk: Buffer = Buffer.alloc(0);
  private hits: JsonHit[] = [];

  constructor(selection: JsonSelection) {
    super();
    this.root = JsonPlace.rootOf(selection);
  }

  /** Yields the hits of each chunk that has some. Throws `Invalid` for invalid or truncated JSON. */
  async *read(chunks: AsyncIterable<Buffer>): AsyncGenerator<JsonHit[]> {
    for await (const chunk of chunks) {
      this.chunk = chunk;
      this.scan(chunk);
      this.piece?.keep(chunk, chunk.length, this.values, this.deepest);
      if (this.hits.length > 0) yield this.hits;
      this.hits = [];
    }
    this.end();
    if (this.hits.length > 0) yield this.hits;
  }

  protected valueBegins(byte: number, at: number): void {
    const place = this.nextPlace();
    if (!place) return;
    const isArray = byte === openArray;
    if (place.isRead) this.begin(place, at);
    else if (place.isCounted) this.counted++;
    else if (isArray || byte === openObject) this.enter(place, isArray);
    else if (byte !== letterN) this.hits.push({ path: place.path, at: this.at(), kind: 'scalar' });
  }

  protected valueEnds(to: number): void {
    if (this.depth < this.level) {
      this.levels.pop();
      this.level--;
    } else if (this.piece?.place) {
      const { path } = this.piece.place;
      this.hits.push({ path, at: this.at(), kind: 'value', ...this.finish(this.piece, to) });
    }
  }

  protected keyBegins(at: number): void {
    this.begin(null, at);
  }

  protected keyEnds(to: number): void {
    const top = this.levels.at(-1);
    if (top && this.piece) top.step = String(this.finish(this.piece, to).value);
  }

  private begin(place: JsonPlace | null, at: number): void {
    this.piece = new Piece(place, at);
    this.values = 0;
    this.deepest = 0;
  }

  private finish(piece: Piece, to: number): { value: unknown; fault: string | null } {
    piece.keep(this.chunk, to, this.values, this.deepest);
    this.piece = null;
    return piece.parsed();
  }

  private enter(place: JsonPlace, isArray: boolean): void {
    this.hits.push({ path: place.path, at: this.at(), kind: isArray ? 'array' : 'object' });
    this.levels.push({ place, step: isArray ? -1 : '' });
    this.level++;
  }

  private nextPlace(): JsonPlace | undefined {
    const top = this.levels.at(-1);
    if (!top) return this.root;
    if (typeof top.step === 'number') top.step++;
    return top.place.at(top.step);
  }

  private at(): JsonStep[] {
    return this.levels.map(({ step }) => step);
  }
}
