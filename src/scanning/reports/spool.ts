import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Unavailable } from '../../common/errors/kinds.js';

const pieceBytes = 64 * 1024;

/** Bytes that are too many for memory, in a file that no other program sees and that goes with the process. */
export class Spool {
  private pending: Buffer[] = [];
  private pendingBytes = 0;
  private length = 0;

  private constructor(private readonly file: FileHandle) {}

  /** A spool with nothing in it. Its file has no name from the start, so that a killed process leaves none behind. */
  static async open(): Promise<Spool> {
    const folder = await mkdtemp(join(tmpdir(), 'store-report-'));
    try {
      return new Spool(await open(join(folder, 'spool'), 'wx+', 0o600));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Adds bytes at the end. `Unavailable` where the disk is full. */
  async write(bytes: Buffer): Promise<void> {
    this.pending.push(bytes);
    this.pendingBytes += bytes.length;
    if (this.pendingBytes >= pieceBytes) await this.flush();
  }

  /** All that was written, from the start. */
  async *read(): AsyncGenerator<Buffer> {
    await this.flush();
    for (let position = 0; position < this.length;) {
      const { bytesRead, buffer } = await this.file.read(Buffer.allocUnsafe(pieceBytes), 0, pieceBytes, position);
      if (bytesRead === 0) return;
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }

  async close(): Promise<void> {
    await this.file.close();
  }

  private async flush(): Promise<void> {
    if (this.pendingBytes === 0) return;
    const bytes = Buffer.concat(this.pending);
    this.pending = [];
    this.pendingBytes = 0;
    try {
      for (let from = 0; from < bytes.length;) {
        const { bytesWritten } = await this.file.write(bytes, from, bytes.length - from, this.length);
        from += bytesWritten;
        this.length += bytesWritten;
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      throw new Unavailable('The service has no room for the report at the moment: try again later');
    }
  }
}
