import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Unavailable } from '../../common/errors/kinds.js';

interface Piece {
  /** Where in the file, where it is not in memory. */
  at: number;
  bytes: number;
  kept: Buffer | null;
}

/**
 * Holds the batches of one request between its reading and its writing, so that a slow sender holds no transaction open,
 * and a transaction that has to be repeated can be. What is beyond `memoryBytes` lies in a file without a name, which
 * goes with the process.
 */
export class EventSpool {
  private readonly pieces: Piece[] = [];
  private file: FileHandle | undefined;
  private inMemory = 0;
  private inFile = 0;

  constructor(
    private readonly memoryBytes: number,
    private readonly folder = tmpdir(),
  ) {}

  /** Adds a batch. `Unavailable` where there is no room for it. */
  async add(batch: string): Promise<void> {
    const kept = Buffer.from(batch);
    if (this.inMemory + kept.length <= this.memoryBytes) {
      this.inMemory += kept.length;
      this.pieces.push({ at: 0, bytes: kept.length, kept });
      return;
    }
    try {
      this.file ??= await this.openFile();
      await this.file.write(kept, 0, kept.length, this.inFile);
    } catch (error) {
      throw new Unavailable(
        `There is no room for so many events at the moment (${(error as Error).message}): send fewer`,
      );
    }
    this.pieces.push({ at: this.inFile, bytes: kept.length, kept: null });
    this.inFile += kept.length;
  }

  /** The batches in their order, as often as they are asked for. */
  async *batches(): AsyncGenerator<string> {
    for (const { at, bytes, kept } of this.pieces) {
      if (kept) yield kept.toString();
      else if (this.file) yield (await this.file.read(Buffer.alloc(bytes), 0, bytes, at)).buffer.toString();
    }
  }

  async close(): Promise<void> {
    this.pieces.length = 0;
    await this.file?.close();
  }

  private async openFile(): Promise<FileHandle> {
    const path = join(this.folder, `store-events-${randomUUID()}`);
    const file = await open(path, 'wx+', 0o600);
    await rm(path);
    return file;
  }
}
