import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Unavailable } from '../common/errors/kinds.js';
import { LineSplitter } from '../common/http/element-splitters.js';

const pieceBytes = 64 * 1024;
/** Lines cost far less to split than other contents cost to parse, so that larger pieces block nobody. */
const linePieceBytes = 512 * 1024;

export interface SpoolOptions {
  /** How much stays in memory; as soon as there is more, all of it goes into the file. */
  memoryBytes?: number;
  folder?: string;
}

/**
 * Holds what one request brings between its reading and its writing: a slow sender then holds no transaction open, and a
 * transaction can be repeated. The file has no name, so that it goes with the process, however that ends.
 */
export class SpoolFile {
  private readonly memoryBytes: number;
  private readonly folder: string;
  private file: FileHandle | undefined;
  private fileBytes = 0;
  /** What is not in the file yet. */
  private pending: Buffer[] = [];
  private pendingBytes = 0;

  constructor({ memoryBytes = pieceBytes, folder = tmpdir() }: SpoolOptions = {}) {
    this.memoryBytes = memoryBytes;
    this.folder = folder;
  }

  /** Adds bytes at the end. `Unavailable` where the file cannot take them, as on a full disk. */
  async write(bytes: Buffer): Promise<void> {
    this.pending.push(bytes);
    this.pendingBytes += bytes.length;
    if (this.pendingBytes > (this.file ? pieceBytes : this.memoryBytes)) await this.flush();
  }

  /** Adds a text without line breaks, to be read by `lines`. Throws as `write`. */
  writeLine(text: string): Promise<void> {
    return this.write(Buffer.from(`${text}\n`));
  }

  /** Everything that was written, from the start; pieces that come from the file have at most `maxBytes`. */
  async *read(maxBytes = pieceBytes): AsyncGenerator<Buffer> {
    for (let position = 0; position < this.fileBytes;) {
      const buffer = Buffer.allocUnsafe(Math.min(maxBytes, this.fileBytes - position));
      const bytesRead = (await this.file?.read(buffer, 0, buffer.length, position))?.bytesRead ?? 0;
      if (bytesRead === 0) return;
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
    yield* this.pending;
  }

  /** The lines of each piece, from the start. */
  async *lines(): AsyncGenerator<Buffer[]> {
    const splitter = new LineSplitter();
    for await (const piece of this.read(linePieceBytes)) yield splitter.push(piece);
  }

  async close(): Promise<void> {
    this.pending = [];
    await this.file?.close();
  }

  private async flush(): Promise<void> {
    const [first = Buffer.alloc(0), ...others] = this.pending;
    const bytes = others.length === 0 ? first : Buffer.concat(this.pending);
    this.pending = [];
    this.pendingBytes = 0;
    try {
      this.file ??= await openUnnamed(this.folder);
      for (let from = 0; from < bytes.length;) {
        const { bytesWritten } = await this.file.write(bytes, from, bytes.length - from, this.fileBytes);
        from += bytesWritten;
        this.fileBytes += bytesWritten;
      }
    } catch (error) {
      const { code = 'unknown' } = error as NodeJS.ErrnoException;
      throw new Unavailable(`The service cannot keep the body at the moment (${code}): try again later, or send less`);
    }
  }
}

async function openUnnamed(folder: string): Promise<FileHandle> {
  const path = join(folder, `store-spool-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await rm(path);
  return file;
}
