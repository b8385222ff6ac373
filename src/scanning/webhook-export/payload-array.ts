import type { PayloadChunker } from './payload-chunker.js';

/** Compresses at least so much at once, since each time has to wait for another thread. */
const pieceCharacters = 64 * 1024;

export const emptyArray = '[]';

/** Writes an array of JSON texts into chunks. */
export class PayloadArray {
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
