import { createHash } from 'node:crypto';
import { appendFile, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setInterval } from 'node:timers';
import type { BucketPlace } from '../../../config/storage-settings.js';
import { StartError } from '../../../config/start-error.js';
import { contentTypeOf } from '../pictures/picture-format.js';
import { type UploadKind, uploadKinds } from '../upload.entity.js';
import { S3Bucket, S3Fault } from '../../../platform/net/s3-bucket.js';
import { keyOf, storedHeaders } from './s3-storage.js';

const workers = 4;
/** After so many faults in a row the bucket is away, rather than a picture unlucky. */
const mostFaults = 8;
const progressMs = 2_000;
const mebibyte = 2 ** 20;

/** A picture on disk. */
interface Found {
  kind: UploadKind;
  filename: string;
}

export interface Move {
  bucket: S3Bucket;
  /** The folder of uploads. */
  folder: string;
  /** Counts the pictures that would be moved, and moves nothing. */
  isDry: boolean;
  log: (line: string) => void;
}

function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function isAbsent(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

async function picturesIn(folder: string): Promise<Found[]> {
  const found: Found[] = [];
  for (const kind of uploadKinds) {
    const entries = await readdir(join(folder, kind), { withFileTypes: true }).catch((error: unknown) => {
      if (isAbsent(error)) return [];
      throw error;
    });
    for (const { name: filename } of entries.filter((entry) => entry.isFile())) {
      if (contentTypeOf(filename) !== null) found.push({ kind, filename });
    }
  }
  return found;
}

/** Remembers across runs which pictures are in a bucket, by lines in a file beside the pictures. */
class Journal {
  private readonly known = new Set<string>();

  private constructor(private readonly file: string) {}

  static async open(folder: string, { origin, bucket, prefix }: BucketPlace): Promise<Journal> {
    const place = digestOf(Buffer.from(`${origin}/${bucket}/${prefix}`)).slice(0, 12);
    const journal = new Journal(join(folder, `.moved-${place}`));
    const text = await readFile(journal.file, 'utf8').catch(() => '');
    // The last line of a killed run may be half a line.
    for (const line of text.split('\n').slice(0, -1)) journal.known.add(line);
    return journal;
  }

  has(key: string): boolean {
    return this.known.has(key);
  }

  async add(key: string): Promise<void> {
    await appendFile(this.file, `\n${key}\n`);
  }
}

class Mover {
  private stored = 0;
  private present = 0;
  private bytes = 0;
  private faultsInARow = 0;
  private isOver = false;
  private readonly failed: string[] = [];

  constructor(
    private readonly move: Move,
    private readonly journal: Journal,
    private readonly pictures: Found[],
  ) {}

  async run(): Promise<void> {
    const timer = setInterval(() => this.move.log(this.progress()), progressMs);
    const waiting = this.pictures.values();
    const work = async (): Promise<void> => {
      for (const picture of waiting) if (!this.isOver) await this.tryOne(picture);
    };
    try {
      await Promise.all(Array.from({ length: workers }, work));
    } finally {
      clearInterval(timer);
      this.move.log(this.progress());
    }
    if (this.failed.length === 0) return;
    for (const line of this.failed) this.move.log(line);
    throw new StartError(
      `${this.failed.length} pictures could not be moved: run the command again to continue with those`,
    );
  }

  private progress(): string {
    const moved = `${this.stored} stored (${(this.bytes / mebibyte).toFixed(1)} MiB)`;
    return `${this.stored + this.present} of ${this.pictures.length} pictures: ${moved}, ${this.present} there already`;
  }

  private async tryOne(picture: Found): Promise<void> {
    const key = keyOf(picture.kind, picture.filename);
    try {
      await this.one(picture, key);
      this.faultsInARow = 0;
    } catch (error) {
      if (isAbsent(error)) return; // deleted meanwhile
      this.failed.push(`${key}: ${(error as Error).message}`);
      this.faultsInARow += error instanceof S3Fault ? 1 : 0;
      if (this.faultsInARow >= mostFaults) {
        this.isOver = true;
        throw new StartError(
          `The bucket cannot be used (${(error as Error).message}): run the command again to continue from here`,
        );
      }
    }
  }

  private async one({ kind, filename }: Found, key: string): Promise<void> {
    const { bucket, folder } = this.move;
    if (this.journal.has(key)) {
      this.present += 1;
      return;
    }
    const path = join(folder, kind, filename);
    const bytes = await readFile(path);
    const digest = digestOf(bytes);
    const isThere = (await bucket.digest(key)) === digest;
    if (!isThere) {
      await bucket.put(key, bytes, storedHeaders(filename));
      if ((await bucket.digest(key)) !== digest) throw new S3Fault('the stored picture differs from the original');
    }
    await this.removeIfDeleted(path, key);
    await this.journal.add(key);
    if (isThere) this.present += 1;
    else this.stored += 1;
    if (!isThere) this.bytes += bytes.length;
  }

  /** A node that deleted the picture meanwhile removed it from the bucket before it arrived there. */
  private async removeIfDeleted(path: string, key: string): Promise<void> {
    try {
      await stat(path);
    } catch (error) {
      if (isAbsent(error)) await this.move.bucket.remove(key);
      throw error;
    }
  }
}

/**
 * Copies the pictures on disk into the bucket, and verifies each by its digest as read back. It may run while the service
 * does, and repeatedly: it continues where it stopped. Throws `StartError` where some are still missing at the end.
 */
export async function movePictures(move: Move): Promise<void> {
  const { bucket, folder, isDry, log } = move;
  await bucket.check().catch((error: unknown) => {
    throw new StartError(`The bucket of STORAGE_URL cannot be used: ${(error as Error).message}`);
  });
  const pictures = await picturesIn(folder);
  const journal = await Journal.open(folder, bucket.place);
  const left = pictures.filter(({ kind, filename }) => !journal.has(keyOf(kind, filename)));
  log(`${pictures.length} pictures in ${folder}, ${left.length} of them to be moved to ${bucket.place.bucket}`);
  if (isDry) return log('Nothing was moved: this was a dry run');
  await new Mover(move, journal, pictures).run();
  log(`All of them are in ${bucket.place.bucket}. With STORAGE_URL set on every node, ${folder} can be removed`);
}
