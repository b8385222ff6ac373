import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import { ReadAhead } from '../../platform/concurrency/read-ahead.js';
import { type SealedPlace, sealedColumn } from '../../platform/crypto/sealed-places.js';
import { SecretBox } from '../../platform/crypto/secret-box.js';
import type { BodySource } from '../../platform/net/redirects.js';
import { type PayloadRoot, payloadRoots } from '../workflows/payload-roots.js';
import type { RootBytes } from '../workflows/workflow-run.entity.js';
import type { PartRanges } from './payload-parts.js';
import { PayloadChunker } from './payload-chunker.js';
import { PayloadStoreRepository, type RunKey } from './payload-store.repository.js';

/** Compresses at least so much at once, since each time has to wait for another thread. */
const pieceCharacters = 64 * 1024;

const chunkPlace = sealedColumn({
  table: 'workflow_run_payloads',
  column: 'sealed',
  isBytes: true,
  key: { run_id: 'uuid', root: 'text', number: 'integer' },
  spreadBy: 'organization_id',
  place: 'payload',
});

const emptyArray = '[]';

/** Writes an array of JSON texts into chunks. */
class PayloadArray {
  private isEmpty = true;

  /** Calls `watch` with the length so far, in bytes, again and again; it may throw. */
  constructor(
    private readonly chunker: PayloadChunker,
    private readonly watch: (bytes: number) => void,
  ) {}

  /** Adds elements; returns the chunks that are now full. */
  async push(elements: readonly string[]): Promise<Buffer[]> {
    const full: Buffer[] = [];
    let piece = '';
    for (const [index, element] of elements.entries()) {
      piece += (this.isEmpty ? '[' : ',') + element;
      this.isEmpty = false;
      if (piece.length < pieceCharacters && index < elements.length - 1) continue;
      const chunk = await this.chunker.push(piece);
      if (chunk) full.push(chunk);
      this.watch(this.chunker.bytes);
      piece = '';
    }
    return full;
  }

  /** Ends the array; returns the last chunk. */
  async end(): Promise<Buffer[]> {
    const chunk = await this.chunker.push(this.isEmpty ? emptyArray : ']');
    return [...(chunk ? [chunk] : []), await this.chunker.finish()];
  }
}

/** Takes the roots of a payload. */
export interface RootWriter {
  /** Takes the array of a root, whose elements come as pages of JSON texts; returns its length in bytes. `watch` may throw. */
  write(root: PayloadRoot, pages: AsyncIterable<string[]>, watch: (bytes: number) => void): Promise<number>;
  /** Removes everything taken of a root. */
  discard(root: PayloadRoot): Promise<void>;
}

// The text around the arrays: {"issues":...,"assets":...}
const framing = payloadRoots.map((root, index) => `${index === 0 ? '{' : ','}"${root}":`);
const ending = '}';

/** The place of a part among those of a payload. */
export interface PartPlace {
  part: number;
  of: number;
}

const endingOf = ({ part, of }: PartPlace): string => `,"part":${part},"of":${of}${ending}`;

/** The frozen roots that a delivery sends: those that it names, or all. */
export function sentRoots(rootBytes: RootBytes, resources: PayloadRoot[] | null): RootBytes {
  const sent = Object.entries(rootBytes).filter(([root]) => resources?.includes(root as PayloadRoot) ?? true);
  return Object.fromEntries(sent);
}

/** The length of a body of these roots, in bytes. */
export function bodyBytes(rootBytes: RootBytes, resources: PayloadRoot[] | null): number {
  const sent = sentRoots(rootBytes, resources);
  const arrays = payloadRoots.map((root) => sent[root] ?? emptyArray.length);
  return [...framing, ending].join('').length + arrays.reduce((sum, bytes) => sum + bytes, 0);
}

/** The length of the body of a part, in bytes. */
export function partBytes(ranges: PartRanges, place: PartPlace): number {
  const arrays = payloadRoots.map((root) => {
    const [from, to] = ranges[root] ?? [0, 0];
    return to - from + emptyArray.length;
  });
  return [...framing, endingOf(place)].join('').length + arrays.reduce((sum, bytes) => sum + bytes, 0);
}

/**
 * Stores the payloads of runs, compressed and sealed, each root in chunks of its own. It reads and writes a chunk at a time,
 * and every read of a payload gives the same bytes.
 */
@Injectable()
export class PayloadStore {
  constructor(
    private readonly repository: PayloadStoreRepository,
    private readonly box: SecretBox,
  ) {}

  /** The body of a delivery: the frozen roots that it sends, and empty arrays for the others. */
  body(run: RunKey, rootBytes: RootBytes, resources: PayloadRoot[] | null): BodySource {
    const sent = sentRoots(rootBytes, resources);
    return { length: bodyBytes(rootBytes, resources), open: () => Readable.from(this.framed(run, sent)) };
  }

  /** The body of one part of a payload. */
  part(run: RunKey, ranges: PartRanges, place: PartPlace): BodySource {
    return { length: partBytes(ranges, place), open: () => Readable.from(this.framedPart(run, ranges, place)) };
  }

  /** Freezes the roots of a run. */
  writerOf(run: RunKey): RootWriter {
    return {
      write: (root, pages, watch) => this.freeze(run, root, pages, watch),
      discard: (root) => this.repository.remove(run, root),
    };
  }

  /** Removes the frozen payload of a run. */
  discard(run: RunKey): Promise<void> {
    return this.repository.remove(run);
  }

  /** Removes the frozen payloads of an organization's runs. */
  removeAll(organizationId: string, runIds: string[]): Promise<void> {
    return this.repository.removeAll(organizationId, runIds);
  }

  /** Removes everything of organizations that are about to be deleted; call it before that. */
  removeOf(organizationIds: string[]): Promise<void> {
    return this.repository.removeOf(organizationIds);
  }

  /** The database builds the next page while one is compressed, and takes the chunks in between. */
  private async freeze(
    run: RunKey,
    root: PayloadRoot,
    pages: AsyncIterable<string[]>,
    watch: (bytes: number) => void,
  ): Promise<number> {
    const chunker = new PayloadChunker();
    const array = new PayloadArray(chunker, watch);
    let number = 0;
    const keep = async (chunks: Buffer[]): Promise<void> => {
      for (const chunk of chunks) {
        const sealed = this.box.sealBytes(chunk, placeOf(run, root, number));
        await this.repository.insert({ ...run, root, number: number++, sealed });
      }
    };
    const reading = new ReadAhead(pages);
    try {
      let full: Buffer[] = [];
      for (let page = await reading.next(); page; page = await reading.next()) {
        await keep(full);
        reading.begin();
        full = await array.push(page);
      }
      await keep([...full, ...(await array.end())]);
      return chunker.bytes;
    } finally {
      await reading.rest();
    }
  }

  private async *framed(run: RunKey, sent: RootBytes): AsyncGenerator<Buffer> {
    for (const [index, root] of payloadRoots.entries()) {
      yield Buffer.from(framing[index] ?? '');
      if (sent[root] === undefined) yield Buffer.from(emptyArray);
      else yield* this.array(run, root);
    }
    yield Buffer.from(ending);
  }

  private async *framedPart(run: RunKey, ranges: PartRanges, place: PartPlace): AsyncGenerator<Buffer> {
    for (const [index, root] of payloadRoots.entries()) {
      yield Buffer.from(`${framing[index] ?? ''}[`);
      const range = ranges[root];
      if (range) yield* sliced(this.array(run, root), range);
      yield Buffer.from(']');
    }
    yield Buffer.from(endingOf(place));
  }

  private async *array(run: RunKey, root: PayloadRoot): AsyncGenerator<Buffer> {
    const chunks = Readable.from(this.chunks(run, root));
    const gunzip = createGunzip();
    chunks.once('error', (error) => gunzip.destroy(error));
    try {
      yield* chunks.pipe(gunzip) as AsyncIterable<Buffer>;
    } finally {
      chunks.destroy();
    }
  }

  private async *chunks(run: RunKey, root: PayloadRoot): AsyncGenerator<Buffer> {
    for (let number = 0; ; number++) {
      const sealed = await this.repository.chunk(run, root, number);
      if (!sealed) return;
      yield this.box.openBytes(sealed, placeOf(run, root, number));
    }
  }
}

/** The bytes of a range. */
async function* sliced(bytes: AsyncIterable<Buffer>, [from, to]: [number, number]): AsyncGenerator<Buffer> {
  let at = 0;
  for await (const chunk of bytes) {
    const piece = chunk.subarray(Math.max(0, from - at), Math.max(0, to - at));
    if (piece.length > 0) yield piece;
    at += chunk.length;
    if (at >= to) return;
  }
}

function placeOf({ runId }: RunKey, root: PayloadRoot, number: number): SealedPlace {
  return chunkPlace(runId, root, number);
}
