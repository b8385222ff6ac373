import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { type PayloadRoot, payloadRoots } from '../workflows/payload-roots.js';
import { maskCredentials } from './credential-places.js';
import { PayloadChunker } from './payload-chunker.js';
import type { RootWriter } from './payload-store.js';

type Fields = Record<string, unknown>;

/** The elements to inspect before other work on this node goes on. */
const yieldBytes = 64 * 1024;
/** The most places of credentials to name. */
const namedPlaces = 1_000;

export interface SheetChoices {
  /** The elements of each root that are shown. */
  shown: number;
  /** Whether to keep the whole payload too, compressed. */
  whole: boolean;
  masked: boolean;
}

interface Kept {
  first: Fields[];
  places: string[];
  placeCount: number;
  chunks: Buffer[];
}

async function* elementsOf(pages: AsyncIterable<string[]>): AsyncGenerator<string> {
  for await (const page of pages) yield* page;
}

/** Measures a payload that is shown rather than sent, and keeps the beginning of each root. */
export class PreviewSheet implements RootWriter {
  private readonly roots = new Map<PayloadRoot, Kept>();

  constructor(private readonly choices: SheetChoices) {}

  async write(root: PayloadRoot, pages: AsyncIterable<string[]>, watch: (bytes: number) => void): Promise<number> {
    const kept: Kept = { first: [], places: [], placeCount: 0, chunks: [] };
    this.roots.set(root, kept);
    const chunker = this.choices.whole ? new PayloadChunker() : null;
    let [bytes, count, sinceYield] = [0, 0, 0];
    for await (const element of elementsOf(pages)) {
      const seen = this.look(root, kept, element, count++);
      const chunk = await chunker?.push((bytes === 0 ? '[' : ',') + seen);
      if (chunk) kept.chunks.push(chunk);
      const length = Buffer.byteLength(element) + 1;
      bytes += length;
      watch(bytes);
      sinceYield += length;
      if (sinceYield < yieldBytes) continue;
      sinceYield = 0;
      await yieldToOthers();
    }
    if (chunker) {
      const chunk = await chunker.push(bytes === 0 ? '[]' : ']');
      kept.chunks.push(...(chunk ? [chunk] : []), await chunker.finish());
    }
    return Math.max(bytes + 1, 2);
  }

  discard(root: PayloadRoot): Promise<void> {
    this.roots.delete(root);
    return Promise.resolve();
  }

  /** The first elements of each root. */
  first(): Record<PayloadRoot, Fields[]> {
    const firsts = payloadRoots.map((root) => [root, this.roots.get(root)?.first ?? []]);
    return Object.fromEntries(firsts) as Record<PayloadRoot, Fields[]>;
  }

  /** The first places of credentials, and their total number. */
  credentials(): { places: string[]; count: number } {
    const kept = payloadRoots.flatMap((root) => this.roots.get(root) ?? []);
    const count = kept.reduce((sum, { placeCount }) => sum + placeCount, 0);
    return { places: kept.flatMap(({ places }) => places).slice(0, namedPlaces), count };
  }

  /** The whole payload as JSON text, a chunk at a time. */
  async *text(): AsyncGenerator<Buffer | string> {
    for (const [index, root] of payloadRoots.entries()) {
      yield `${index === 0 ? '{' : ','}"${root}":`;
      const kept = this.roots.get(root);
      if (!kept) yield '[]';
      else yield* Readable.from(kept.chunks).pipe(createGunzip()) as AsyncIterable<Buffer>;
    }
    yield '}';
  }

  /** The text of an element as shown. */
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
