import { promisify } from 'node:util';
import { constants, createGzip, type Gzip } from 'node:zlib';

const pieceBytes = 256 * 1024;

/** Compresses text as it comes, into pieces of a size to store. */
export class PayloadPress {
  /** How long the text is so far, in bytes. */
  bytes = 0;
  private readonly gzip: Gzip = createGzip({ level: constants.Z_DEFAULT_COMPRESSION });
  private readonly write = promisify<string, BufferEncoding>(this.gzip.write.bind(this.gzip));
  private waiting: Buffer[] = [];

  constructor() {
    this.gzip.on('data', (chunk: Buffer) => this.waiting.push(chunk));
  }

  /** Takes more text; answers the piece that is full now, or null. */
  async push(text: string): Promise<Buffer | null> {
    this.bytes += Buffer.byteLength(text);
    await this.write(text, 'utf8');
    return this.waiting.reduce((sum, { length }) => sum + length, 0) >= pieceBytes ? this.take() : null;
  }

  /** Ends the text; answers the last piece. */
  async finish(): Promise<Buffer> {
    await new Promise<void>((resolve, reject) => {
      this.gzip.once('error', reject).once('end', resolve);
      this.gzip.end();
    });
    return this.take();
  }

  private take(): Buffer {
    const piece = Buffer.concat(this.waiting);
    this.waiting = [];
    return piece;
  }
}
