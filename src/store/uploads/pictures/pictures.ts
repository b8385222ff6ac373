import { Injectable } from '@nestjs/common';
import sharp, { type Metadata, type Sharp, type SharpOptions } from 'sharp';
import { busy } from '../../../common/concurrency/busy.js';
import { FairSemaphore } from '../../../common/concurrency/fair-semaphore.js';
import { MemoryBudget } from '../../../common/concurrency/memory-budget.js';
import { Settings } from '../../../config/settings.js';
import { reachesGifTrailer } from './gif-end.js';
import { formatOf, type PictureFormat } from './picture-format.js';
import { memoryFor, pixelsWithin } from './picture-limits.js';
import { PictureRefused } from './picture-refused.js';

/** A picture as it is stored: decoded and written anew. */
export interface Picture {
  bytes: Buffer;
  format: PictureFormat;
  width: number;
  /** The height of one frame, for an animation. */
  height: number;
}

const maxSeconds = 30;
const thumbnailEdge = 128;

// Two at once leave half of Node's four pool threads to files, names and passwords.
const bounds = { atOnce: 2, waiting: 64, waitingPerKey: 32, waitMs: 60_000 };
const refusal = busy(
  'Too many pictures of yours are being read: wait for their answers',
  'Too many pictures are being read at this moment: try again soon',
  5,
);

// Nothing is decoded twice, so a cache of decoded pictures only costs memory; one thread a picture bounds it further.
sharp.cache(false);
sharp.concurrency(1);

const brokenSentence = 'The picture is broken or cut off: it cannot be decoded; export it anew and send it again';

/** Above two megapixels the best compression takes seconds to minutes, and saves a quarter of the size. */
function effortFor(pixels: number): number {
  return pixels > 2_000_000 ? 1 : 4;
}

/** A picture whose header has been read and fits. */
interface Decodable {
  format: PictureFormat;
  metadata: Metadata;
  pixels: number;
}

const encoders: Record<PictureFormat, (image: Sharp, source: Decodable) => Sharp> = {
  png: (image, { metadata }) => image.png({ palette: metadata.isPalette }),
  // Optimal codes would save a twentieth of the file, but hold the whole picture in memory to find them.
  jpeg: (image) => image.jpeg({ quality: 90, optimiseCoding: false }),
  webp: (image, { pixels }) => image.webp({ quality: 90, effort: effortFor(pixels) }),
  gif: (image, { pixels }) => image.gif({ effort: effortFor(pixels) }),
  avif: (image, { pixels }) => image.avif({ quality: 65, effort: effortFor(pixels), chromaSubsampling: '4:2:0' }),
};

/** The facts in the header; reading it decodes nothing, so that a bomb is refused before it goes off. */
async function headerOf(bytes: Buffer, format: PictureFormat): Promise<Metadata> {
  const metadata = await sharp(bytes, { limitInputPixels: false }).metadata();
  const { format: decoder, compression } = metadata;
  const expected = format === 'avif' ? decoder === 'heif' && compression === 'av1' : decoder === format;
  if (!expected || (format === 'gif' && !reachesGifTrailer(bytes))) throw new PictureRefused('broken', brokenSentence);
  return metadata;
}

/** A picture that libvips cannot decode is the sender's fault: broken, truncated, or slower than any honest one. */
async function decoding<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof PictureRefused ? error : new PictureRefused('broken', brokenSentence);
  }
}

/** A picture as it came: its bytes, or a way to read them once it is admitted. */
type Source = Buffer | (() => Promise<Buffer>);

/** Decodes pictures and writes them anew, a few at a time, in no more memory than `PICTURE_MEMORY_MB`. */
@Injectable()
export class Pictures {
  private readonly semaphore = new FairSemaphore(bounds);
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
      if (!format) throw new PictureRefused('type', 'The file is no picture: send a PNG, JPEG, WebP, GIF or AVIF');
      const metadata = await decoding(headerOf(bytes, format));
      const pixels = pixelsWithin(this.memoryBytes, format, metadata);
      const work = (): Promise<Picture> => decoding(rewritten(bytes, { format, metadata, pixels }));
      return this.memory.run(memoryFor(format, pixels), work);
    });
  }

  /** A small WebP of a rewritten picture's first frame, as a data URL (RFC 2397); throws as `rewrite` does. */
  async thumbnail({ bytes, format, width, height }: Picture, ownerId: string): Promise<string> {
    const pixels = width * height;
    const size = { width: thumbnailEdge, height: thumbnailEdge, fit: 'inside', withoutEnlargement: true } as const;
    const image = (): Sharp => sharp(bytes, { limitInputPixels: pixels }).resize(size).webp({ quality: 70 });
    const work = (): Promise<Buffer> => decoding(image().timeout({ seconds: maxSeconds }).toBuffer());
    const small = await this.admitted(ownerId, () => this.memory.run(memoryFor(format, pixels), work));
    return `data:image/webp;base64,${small.toString('base64')}`;
  }

  private admitted<T>(ownerId: string, work: () => Promise<T>): Promise<T> {
    return this.semaphore.run(work, { isForCaller: true, key: ownerId, refusal });
  }
}

async function rewritten(bytes: Buffer, { format, metadata, pixels }: Decodable): Promise<Picture> {
  const animated = (format === 'gif' || format === 'webp') && (metadata.pages ?? 1) > 1;
  const options: SharpOptions = { animated, failOn: 'error', limitInputPixels: pixels };
  const image = sharp(bytes, options).timeout({ seconds: maxSeconds });
  // Unspecified: an animation with an EXIF orientation. Browsers show the frames as they are, and so do we.
  const upright = animated ? image : image.autoOrient();
  const { data, info } = await encoders[format](upright, { format, metadata, pixels }).toBuffer({
    resolveWithObject: true,
  });
  return { bytes: data, format, width: info.width, height: info.pageHeight ?? info.height };
}
