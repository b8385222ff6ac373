import { Injectable } from '@nestjs/common';
import { busy } from '../../../platform/concurrency/busy.js';
import { FairSemaphore } from '../../../platform/concurrency/fair-semaphore.js';
import { MemoryBudget } from '../../../platform/concurrency/memory-budget.js';
import { Settings } from '../../../config/settings.js';
import type { Picture } from './picture.js';
import { formatOf } from './picture-format.js';
import type { Derivative } from './derivative.js';
import { memoryFor, pixelsWithin } from './picture-limits.js';
import { PictureRefused } from './picture-refused.js';

// Two at once leave half of Node's four pool threads to files, names and passwords.
const bounds = { atOnce: 2, waiting: 64, waitingPerKey: 32, waitMs: 60_000 };
/** Readers' pictures have a line of their own: a page may show dozens that nobody asked for before. */
const deriving = { atOnce: 1, waiting: 512, waitMs: 30_000 };
const refusal = busy(
  'Too many of your pictures are being processed: wait for their responses',
  'Too many pictures are being processed: try again in a few seconds',
  5,
);

/** Loaded with the first picture: most starts see none, and the image library takes 60 ms and 20 MB. */
const codec = (): Promise<typeof import('./picture-codec.js')> => import('./picture-codec.js');

/** A picture as it came: its bytes, or a way to read them once it is admitted. */
type Source = Buffer | (() => Promise<Buffer>);

/** Decodes pictures and writes them anew, a few at a time, in no more memory than `PICTURE_MEMORY_MB`. */
@Injectable()
export class Pictures {
  private readonly semaphore = new FairSemaphore(bounds);
  private readonly deriving = new FairSemaphore(deriving);
  private readonly memoryBytes: number;
  private readonly memory: MemoryBudget;

  constructor({ pictureMemoryMegabytes }: Settings) {
    this.memoryBytes = pictureMemoryMegabytes * 1024 * 1024;
    this.memory = new MemoryBudget(this.memoryBytes);
  }

  /**
   * The picture in its own format, recognized by its bytes; upright, without any metadata; animations stay animated. Throws
   * `PictureRefused`, `TooManyRequests` when too many of the owner's wait, `Unavailable` when too many do.
   */
  rewrite(source: Source, ownerId: string): Promise<Picture> {
    return this.admitted(ownerId, async () => {
      const bytes = typeof source === 'function' ? await source() : source;
      const format = formatOf(bytes);
      if (!format) throw new PictureRefused('type', 'The file is not a picture: send a PNG, JPEG, WebP, GIF or AVIF');
      const { headerOf, rewritten } = await codec();
      const metadata = await headerOf(bytes, format);
      const pixels = pixelsWithin(this.memoryBytes, format, metadata);
      const work = (): Promise<Picture> => rewritten(bytes, { format, metadata, pixels });
      return this.memory.run(memoryFor(format, pixels), work);
    });
  }

  /** A small WebP of a rewritten picture's first frame, as a data URL (RFC 2397); throws as `rewrite` does. */
  async thumbnail({ bytes, format, width, height }: Picture, ownerId: string): Promise<string> {
    const pixels = width * height;
    const { thumbnailOf } = await codec();
    const work = (): Promise<Buffer> => thumbnailOf(bytes, pixels);
    const small = await this.admitted(ownerId, () => this.memory.run(memoryFor(format, pixels), work));
    return `data:image/webp;base64,${small.toString('base64')}`;
  }

  /** Runs what derives a picture for its readers; `Unavailable` where too many wait. */
  admittedToDerive<T>(work: () => Promise<T>): Promise<T> {
    return this.deriving.run(work, { isForCaller: true, refusal });
  }

  /** The first frame of a stored picture in another width, but no larger than it is, and format. Throws `PictureRefused`. */
  async derive(bytes: Buffer, derivative: Derivative): Promise<Buffer> {
    const format = formatOf(bytes);
    if (!format) throw new PictureRefused('type', 'The file is not a picture');
    const { derived, headerOf } = await codec();
    const { width, height } = await headerOf(bytes, format);
    const pixels = pixelsWithin(this.memoryBytes, format, { width, height });
    return this.memory.run(memoryFor(format, pixels), () => derived(bytes, pixels, derivative));
  }

  private admitted<T>(ownerId: string, work: () => Promise<T>): Promise<T> {
    return this.semaphore.run(work, { isForCaller: true, key: ownerId, refusal });
  }
}
