import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

/** A file of a form, on disk until it is read. No other program sees it, and it goes with the process. */
export class UploadFile {
  private constructor(
    private readonly file: FileHandle,
    readonly size: number,
  ) {}

  /** Stores the stream's contents. Throws what the stream or the disk does. */
  static async receive(stream: Readable): Promise<UploadFile> {
    const file = await unnamedFile();
    try {
      let size = 0;
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        await file.writeFile(chunk);
        size += chunk.length;
      }
      return new UploadFile(file, size);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  async bytes(): Promise<Buffer> {
    const { buffer, bytesRead } = await this.file.read(Buffer.alloc(this.size), 0, this.size, 0);
    return buffer.subarray(0, bytesRead);
  }

  async close(): Promise<void> {
    await this.file.close();
  }
}

/** An open file without a name, so that a killed process leaves none behind. */
async function unnamedFile(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'store-upload-'));
  try {
    return await open(join(folder, 'file'), 'wx+', 0o600);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
