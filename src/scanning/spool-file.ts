import { randomUUID } from 'node:crypto';
import { type FileHandle, constants, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Unavailable } from '../platform/errors/errors.js';
import { LineSplitter } from '../platform/http/element-splitters.js';
import { LineBuffer } from './line-buffer.js';

const pieceBytes = 64 * 1024;
/** Lines cost far less to split than other contents cost to parse, so that larger pieces block nobody. */
const linePieceBytes = 512 * 1024;

const encoder = new TextEncoder();

export interface SpoolOptions {
  /** The bytes that stay in memory; with more, all of it goes into the file. */
  memoryBytes?: number;
  folder?: string;
}

/**
 * Holds the contents of one request between reading and writing: a slow sender then holds no transaction open, and a transaction
 * can be repeated. The file has no name, so that it goes with the process, however that ends.
 */
export class SpoolFile {
  private readonly memoryBytes: number;
  private readonly folder: string;
  private file: FileHandle | undefined;
  private fileBytes = 0;
  /** The part that is not in the file yet. */
  private pending: Buffer[] = [];
  private pendingBytes = 0;
  /** The place of that part as soon as there is a file. */
  private block = Buffer.alloc(0);
  /** Readers that wait for more. */
  private readonly waiting = new Set<() => void>();

  constructor({ memoryBytes = pieceBytes, folder = tmpdir() }: SpoolOptions = {}) {
    this.memoryBytes = memoryBytes;
    this.folder = folder;
  }

  private get bytes(): number {
    return this.fileBytes + this.pendingBytes;
  }

  /** Adds bytes at the end, one call at a time. `Unavailable` where the file cannot take them, as on a full disk. */
  async write(bytes: Buffer): Promise<void> {
    if (this.file) await this.fill(bytes);
    else {
      this.pending.push(bytes);
      this.pendingBytes += bytes.length;
      if (this.pendingBytes > this.memoryBytes) await this.flush();
    }
    this.wakeWaiting();
  }

  /** Adds a text without line breaks, for `lines`. Throws as `write`. */
  async writeLine(text: string): Promise<void> {
    if (!this.file) return this.write(Buffer.from(`${text}\n`));
    for (let rest = `${text}\n`; rest !== '';) {
      const { read, written } = encoder.encodeInto(rest, this.block.subarray(this.pendingBytes));
      await this.filled(written, rest.length > read);
      rest = rest.slice(read);
    }
    this.wakeWaiting();
  }

  /** Everything, once all is written; pieces from the file have at most `maxBytes`. */
  async *read(maxBytes = pieceBytes): AsyncGenerator<Buffer> {
    for (let position = 0; position < this.fileBytes;) {
      const buffer = Buffer.allocUnsafe(Math.min(maxBytes, this.fileBytes - position));
      const bytesRead = await this.readInto(buffer, position);
      if (bytesRead === 0) return;
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
    yield* this.pending;
  }

  /** The lines of each piece, from the start, once all are written. */
  async *lines(): AsyncGenerator<Buffer[]> {
    const splitter = new LineSplitter();
    for await (const piece of this.read(linePieceBytes)) yield splitter.push(piece);
  }

  /**
   * The lines, some at a time and valid until the next are asked for, from the start, including those written meanwhile, until
   * `end` resolves; throws what it rejects with.
   */
  async *linesUntil(end: Promise<void>): AsyncGenerator<Buffer[]> {
    const buffer = new LineBuffer(linePieceBytes);
    const ended = { well: false, badly: false };
    const settle = (how: keyof typeof ended): void => {
      ended[how] = true;
      this.wakeWaiting();
    };
    end.then(
      () => settle('well'),
      () => settle('badly'),
    );
    for (let position = 0; ;) {
      const bytesRead = await this.readInto(buffer.room(), position);
      position += bytesRead;
      if (!ended.badly && bytesRead > 0) yield buffer.lines(bytesRead);
      if (ended.badly || (ended.well && position === this.bytes)) return end;
      if (position === this.bytes) await new Promise<void>((resolve) => this.waiting.add(resolve));
    }
  }

  async close(): Promise<void> {
    this.pending = [];
    await this.file?.close();
  }

  /** Fills the buffer with what was written from a position on; returns how many bytes that is. */
  private async readInto(buffer: Buffer, position: number): Promise<number> {
    if (this.file && position < this.fileBytes) {
      const bytes = Math.min(buffer.length, this.fileBytes - position);
      return (await this.file.read(buffer, 0, bytes, position)).bytesRead;
    }
    let bytesRead = 0;
    let begin = this.fileBytes;
    for (const piece of this.pending) {
      const passed = Math.min(piece.length, Math.max(0, position - begin));
      begin += piece.length;
      bytesRead += piece.copy(buffer, bytesRead, passed);
    }
    return bytesRead;
  }

  private wakeWaiting(): void {
    for (const resolve of this.waiting) resolve();
    this.waiting.clear();
  }

  /** Gathers small writes in one place, which spares a buffer for each. */
  private async fill(bytes: Buffer): Promise<void> {
    for (let from = 0; from < bytes.length;) {
      const copied = bytes.copy(this.block, this.pendingBytes, from);
      from += copied;
      await this.filled(copied, from < bytes.length);
    }
  }

  private async filled(more: number, isFull: boolean): Promise<void> {
    this.pendingBytes += more;
    this.pending = [this.block.subarray(0, this.pendingBytes)];
    if (isFull) await this.flush();
  }

  /** Bytes on their way to the file stay pending until they are there: somebody may be reading. */
  private async flush(): Promise<void> {
    const [first = Buffer.alloc(0), ...others] = this.pending;
    const bytes = others.length === 0 ? first : Buffer.concat(this.pending);
    try {
      this.file ??= await openUnnamed(this.folder);
      for (let from = 0; from < bytes.length;) {
        from += (await this.file.write(bytes, from, bytes.length - from, this.fileBytes + from)).bytesWritten;
      }
    } catch (error) {
      const { code = 'unknown' } = error as NodeJS.ErrnoException;
      throw new Unavailable(`The service cannot store the body at the moment (${code}): try again later, or send less`);
    }
    this.fileBytes += bytes.length;
    this.pending = [];
    this.pendingBytes = 0;
    if (this.block.length === 0) this.block = Buffer.allocUnsafe(pieceBytes);
  }
}

/** O_TMPFILE of Linux (open(2)): a file that never has a name, so that a process killed at any moment leaves none. */
const unnamed =
  process.platform === 'linux' ? 0o20000000 | constants.O_DIRECTORY | constants.O_RDWR | constants.O_EXCL : null;

async function openUnnamed(folder: string): Promise<FileHandle> {
  const file = unnamed === null ? null : await open(folder, unnamed, 0o600).catch(() => null);
  return file ?? openAndUnname(folder);
}

/** For other platforms, and file systems that have no such files. */
async function openAndUnname(folder: string): Promise<FileHandle> {
  const path = join(folder, `store-spool-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await rm(path);
  return file;
}
