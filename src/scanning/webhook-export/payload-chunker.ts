import { promisify } from 'node:util';
import { constants, createGzip, type Gzip } from 'node:zlib';

const chunkBytes = 256 * 1024;

/** Compresses text as it comes, into chunks of a size to store. */
export class PayloadChunker {
  /** The length of the text so far, in bytes. */
  bytes = 0;
  private readonly gzip: Gzip = createGzip({ level: constants.Z_DEFAULT_COMPRESSION });
  private readonly write = promisify<string, BufferEncoding>(this.gzip.write.bind(this.gzip));
  private waiting: Buffer[] = [];

  constructor() {
    this.gzip.on('data', (data: Buffer) => this.waiting.push(data));
  }

  /** Takes more text; returns the chunk that is now full, or null. */
  async push(text: string): Promise<Buffer | null> {
    this.bytes += Buffer.byteLength(text);
    await this.write(text, 'utf8');
    return this.waiting.reduce((sum, { length }) => sum + length, 0) >= chunkBytes ? this.take() : null;
  }

  /** Ends the text; returns the last chunk. */
  async finish(): Promise<Buffer> {
    await new Promise<void>((resolve, reject) => {
      this.gzip.once('error', reject).once('end', resolve);
      this.gzip.end();
    });
    return this.take();
  }

  private take(): Buffer {
    const chunk = Buffer.concat(this.waiting);
    this.waiting = [];
    return chunk;
  }
}
