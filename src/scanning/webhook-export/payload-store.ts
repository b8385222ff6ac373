import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import { SecretBox } from '../../common/crypto/secret-box.js';
import type { BodySource } from '../../common/net/hop.js';
import { type PayloadRoot, payloadRoots } from '../workflows/payload-roots.js';
import { PayloadPress } from './payload-press.js';
import { PayloadStoreRepository } from './payload-store.repository.js';

/** How many bytes the array of each frozen root is long; a root that is not there is an empty array. */
export type RootBytes = Partial<Record<PayloadRoot, number>>;

/** Where gathered roots go. */
export interface RootSink {
  /** Takes the array of a root, whose elements come as JSON texts; answers how many bytes it has. `watch` may throw. */
  take(root: PayloadRoot, elements: AsyncIterable<string>, watch: (bytes: number) => void): Promise<number>;
  /** Throws away what was taken of a root. */
  drop(root: PayloadRoot): Promise<void>;
}

const emptyArray = '[]';
// The text around the arrays: {"issues":...,"assets":...}
const framing = payloadRoots.map((root, index) => `${index === 0 ? '{' : ','}"${root}":`);
const ending = '}';

/** Which frozen roots a delivery sends: those that it names, or all. */
function sentRoots(rootBytes: RootBytes, resources: PayloadRoot[] | null): RootBytes {
  const sent = Object.entries(rootBytes).filter(([root]) => resources?.includes(root as PayloadRoot) ?? true);
  return Object.fromEntries(sent);
}

/** How many bytes a body of these roots has. */
export function bodyBytes(rootBytes: RootBytes, resources: PayloadRoot[] | null): number {
  const sent = sentRoots(rootBytes, resources);
  const arrays = payloadRoots.map((root) => sent[root] ?? emptyArray.length);
  return [...framing, ending].join('').length + arrays.reduce((sum, bytes) => sum + bytes, 0);
}

/**
 * Keeps the payloads of runs, compressed and sealed, each root by itself in pieces. All that is read or written is a piece
 * at a time, and every reading of a payload gives the same bytes.
 */
@Injectable()
export class PayloadStore {
  constructor(
    private readonly repository: PayloadStoreRepository,
    private readonly box: SecretBox,
  ) {}

  /** Freezes the array of a root, whose elements come as JSON texts; answers how many bytes it has. `watch` may throw. */
  private async freeze(
    runId: string,
    root: PayloadRoot,
    elements: AsyncIterable<string>,
    watch: (bytes: number) => void,
  ): Promise<number> {
    const press = new PayloadPress();
    let number = 0;
    const keep = async (piece: Buffer | null): Promise<void> => {
      if (!piece) return;
      const sealed = this.box.sealBytes(piece, placeOf(runId, root, number));
      await this.repository.insert(runId, root, number++, sealed);
    };
    let separator = '[';
    for await (const element of elements) {
      await keep(await press.push(separator + element));
      separator = ',';
      watch(press.bytes);
    }
    await keep(await press.push(separator === '[' ? emptyArray : ']'));
    await keep(await press.finish());
    return press.bytes;
  }

  /** The body of a delivery: the frozen roots that it sends, and empty arrays for the others. */
  body(runId: string, rootBytes: RootBytes, resources: PayloadRoot[] | null): BodySource {
    const sent = sentRoots(rootBytes, resources);
    return { length: bodyBytes(rootBytes, resources), open: () => Readable.from(this.chunks(runId, sent)) };
  }

  /** Where the roots of a run are frozen. */
  sinkOf(runId: string): RootSink {
    return {
      take: (root, elements, watch) => this.freeze(runId, root, elements, watch),
      drop: (root) => this.repository.remove(runId, root),
    };
  }

  /** Throws away what was frozen of a run. */
  async discard(runId: string): Promise<void> {
    await this.repository.removeAll(runId);
  }

  private async *chunks(runId: string, sent: RootBytes): AsyncGenerator<Buffer> {
    for (const [index, root] of payloadRoots.entries()) {
      yield Buffer.from(framing[index] ?? '');
      if (sent[root] === undefined) yield Buffer.from(emptyArray);
      else yield* this.array(runId, root);
    }
    yield Buffer.from(ending);
  }

  private async *array(runId: string, root: PayloadRoot): AsyncGenerator<Buffer> {
    const pieces = Readable.from(this.pieces(runId, root));
    const gunzip = createGunzip();
    pieces.once('error', (error) => gunzip.destroy(error));
    try {
      yield* pieces.pipe(gunzip) as AsyncIterable<Buffer>;
    } finally {
      pieces.destroy();
    }
  }

  private async *pieces(runId: string, root: PayloadRoot): AsyncGenerator<Buffer> {
    for (let number = 0; ; number++) {
      const sealed = await this.repository.piece(runId, root, number);
      if (!sealed) return;
      yield this.box.openBytes(sealed, placeOf(runId, root, number));
    }
  }
}

function placeOf(runId: string, root: PayloadRoot, number: number): string {
  return `payload:${runId}:${root}:${number}`;
}
