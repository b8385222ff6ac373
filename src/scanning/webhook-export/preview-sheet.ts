import { setImmediate as turn } from 'node:timers/promises';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { type PayloadRoot, payloadRoots } from '../workflows/payload-roots.js';
import { maskCredentials } from './credential-places.js';
import { PayloadPress } from './payload-press.js';
import type { RootSink } from './payload-store.js';

type Fields = Record<string, unknown>;

/** How much is looked through before others have their turn. */
const turnBytes = 64 * 1024;
/** How many places of credentials are named, of all that there are. */
const namedPlaces = 1_000;

export interface SheetChoices {
  /** How many elements of each root are kept to be shown. */
  shown: number;
  /** Whether the whole is kept as well, compressed. */
  whole: boolean;
  masked: boolean;
}

interface Kept {
  first: Fields[];
  places: string[];
  placeCount: number;
  pieces: Buffer[];
}

/** Takes a payload to be shown rather than sent: measures it, and keeps the beginning of each root. */
export class PreviewSheet implements RootSink {
  private readonly roots = new Map<PayloadRoot, Kept>();

  constructor(private readonly choices: SheetChoices) {}

  async take(root: PayloadRoot, elements: AsyncIterable<string>, watch: (bytes: number) => void): Promise<number> {
    const kept: Kept = { first: [], places: [], placeCount: 0, pieces: [] };
    this.roots.set(root, kept);
    const press = this.choices.whole ? new PayloadPress() : null;
    let [bytes, count, sinceTurn] = [0, 0, 0];
    for await (const element of elements) {
      const seen = this.look(root, kept, element, count++);
      await press?.push((bytes === 0 ? '[' : ',') + seen).then((piece) => piece && kept.pieces.push(piece));
      const length = Buffer.byteLength(element) + 1;
      bytes += length;
      watch(bytes);
      sinceTurn += length;
      if (sinceTurn < turnBytes) continue;
      sinceTurn = 0;
      await turn();
    }
    if (press) kept.pieces.push((await press.push(bytes === 0 ? '[]' : ']')) ?? Buffer.alloc(0), await press.finish());
    return Math.max(bytes + 1, 2);
  }

  drop(root: PayloadRoot): Promise<void> {
    this.roots.delete(root);
    return Promise.resolve();
  }

  /** The first elements of each root. */
  first(): Record<PayloadRoot, Fields[]> {
    const firsts = payloadRoots.map((root) => [root, this.roots.get(root)?.first ?? []]);
    return Object.fromEntries(firsts) as Record<PayloadRoot, Fields[]>;
  }

  /** Where there are credentials: the first places, and how many there are in all. */
  credentials(): { places: string[]; count: number } {
    const kept = payloadRoots.flatMap((root) => this.roots.get(root) ?? []);
    const count = kept.reduce((sum, { placeCount }) => sum + placeCount, 0);
    return { places: kept.flatMap(({ places }) => places).slice(0, namedPlaces), count };
  }

  /** The whole payload as JSON text, a piece at a time. */
  async *text(): AsyncGenerator<Buffer | string> {
    for (const [index, root] of payloadRoots.entries()) {
      yield `${index === 0 ? '{' : ','}"${root}":`;
      const kept = this.roots.get(root);
      if (!kept) yield '[]';
      else
        yield* Readable.from(kept.pieces.filter(({ length }) => length > 0)).pipe(
          createGunzip(),
        ) as AsyncIterable<Buffer>;
    }
    yield '}';
  }

  /** The text of an element as it is shown. */
  private look(root: PayloadRoot, kept: Kept, element: string, at: number): string {
    const given = JSON.parse(element) as Fields;
    const masked = maskCredentials(root, given, `${root}[${at}]`, (path) => {
      kept.placeCount++;
      if (kept.places.length < namedPlaces) kept.places.push(path);
    });
    const shown = this.choices.masked ? masked : given;
    if (at < this.choices.shown) kept.first.push(shown);
    return this.choices.masked ? JSON.stringify(masked) : element;
  }
}
