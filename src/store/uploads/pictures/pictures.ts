import { Injectable } from '@nestjs/common';
import sharp, { type Metadata, type Sharp, type SharpOptions } from 'sharp';
import { TooManyWaiting, Turns } from '../../../common/crypto/turns.js';
import { Unavailable } from '../../../common/errors/kinds.js';
import { reachesGifTrailer } from './gif-end.js';
import { formatOf, type PictureFormat } from './picture-format.js';
import { PictureRefused } from './picture-refused.js';

/** A picture as it is kept: decoded and written anew. */
export interface Picture {
  bytes: Buffer;
  format: PictureFormat;
  width: number;
  /** Of one frame, where it is animated. */
  height: number;
}

const maxPixels = 50_000_000;
// Not shown: how long an animation may be; frames cost time even when they are a pixel wide.
const maxFrames = 1_000;
const maxSeconds = 30;
const thumbnailEdge = 128;

// The largest pictures take more than a gigabyte (AVIF), so one such is in work at a time. Two of any size leave half of
// Node's four pool threads to files, names and passwords.
const largePixels = 12_000_000;
const atOnce = 2;
const maxWaiting = 50;

// Nothing is decoded twice, so a cache of decoded pictures is only memory; and one thread a picture bounds it further.
sharp.cache(false);
sharp.concurrency(1);

const brokenSentence = 'The picture is broken or cut off: it cannot be decoded; export it anew and send it again';

/** Above two megapixels the best compression takes from seconds to minutes, and gains a quarter of the size. */
function effortFor(pixels: number): number {
  return pixels > 2_000_000 ? 1 : 4;
}

interface Source {
  format: PictureFormat;
  metadata: Metadata;
  pixels: number;
}

const encoders: Record<PictureFormat, (image: Sharp, source: Source) => Sharp> = {
  png: (image, { metadata }) => image.png({ palette: metadata.isPalette }),
  jpeg: (image) => image.jpeg({ quality: 90 }),
  webp: (image, { pixels }) => image.webp({ quality: 90, effort: effortFor(pixels) }),
  gif: (image, { pixels }) => image.gif({ effort: effortFor(pixels) }),
  avif: (image, { pixels }) => image.avif({ quality: 65, effort: effortFor(pixels), chromaSubsampling: '4:2:0' }),
};

/** What the header says; it is read without decoding, so that a bomb is refused before it goes off. */
async function headerOf(bytes: Buffer, format: PictureFormat): Promise<Metadata> {
  const metadata = await sharp(bytes, { limitInputPixels: false }).metadata();
  const { format: decoder, compression } = metadata;
  const expected = format === 'avif' ? decoder === 'heif' && compression === 'av1' : decoder === format;
  if (!expected || (format === 'gif' && !reachesGifTrailer(bytes))) throw new PictureRefused('broken', brokenSentence);
  return metadata;
}

function pixelsOf({ width, height, pages = 1 }: Metadata): number {
  const pixels = width * height * pages;
  if (pixels > maxPixels || pages > maxFrames) {
    const sentence = `The picture is too large: it may have ${maxPixels / 1e6} megapixels, all frames of an animation together, and ${maxFrames} frames`;
    throw new PictureRefused('too_large', sentence);
  }
  return pixels;
}

/** What libvips cannot decode is the sender's fault: it is broken, cut off, or takes longer than any honest picture. */
async function decoding<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof PictureRefused ? error : new PictureRefused('broken', brokenSentence);
  }
}

/** Decodes pictures and writes them anew, a few at a time. */
@Injectable()
export class Pictures {
  private readonly turns = new Turns(atOnce, maxWaiting);
  private readonly largeTurns = new Turns(1, maxWaiting);

  /**
   * The picture in its own format, upright, without any metadata; animations stay animated. Its type is told by its
   * bytes. Throws `PictureRefused`, and `Unavailable` when too many are waiting.
   */
  async rewrite(bytes: Buffer): Promise<Picture> {
    const format = formatOf(bytes);
    if (!format) throw new PictureRefused('type', 'The file is no picture: send a PNG, JPEG, WebP, GIF or AVIF');
    const metadata = await decoding(headerOf(bytes, format));
    const pixels = pixelsOf(metadata);
    return this.inTurn(pixels, () => decoding(rewritten(bytes, { format, metadata, pixels })));
  }

  /** A small WebP of a rewritten picture's first frame, as a data URL (RFC 2397); throws as `rewrite` does. */
  async thumbnail({ bytes, width, height }: Picture): Promise<string> {
    const size = { width: thumbnailEdge, height: thumbnailEdge, fit: 'inside', withoutEnlargement: true } as const;
    const image = (): Sharp => sharp(bytes, { limitInputPixels: maxPixels }).resize(size).webp({ quality: 70 });
    const small = await this.inTurn(width * height, () =>
      decoding(image().timeout({ seconds: maxSeconds }).toBuffer()),
    );
    return `data:image/webp;base64,${small.toString('base64')}`;
  }

  private async inTurn<T>(pixels: number, work: () => Promise<T>): Promise<T> {
    try {
      const turn = (): Promise<T> => this.turns.run(work);
      return await (pixels > largePixels ? this.largeTurns.run(turn) : turn());
    } catch (error) {
      if (!(error instanceof TooManyWaiting)) throw error;
      throw new Unavailable('Too many pictures are being read at this moment: try again in a few seconds', 'busy');
    }
  }
}

async function rewritten(bytes: Buffer, source: Source): Promise<Picture> {
  const { format, metadata } = source;
  const animated = (format === 'gif' || format === 'webp') && (metadata.pages ?? 1) > 1;
  const options: SharpOptions = { animated, failOn: 'error', limitInputPixels: maxPixels };
  const image = sharp(bytes, options).timeout({ seconds: maxSeconds });
  // Not shown: an animation with an EXIF orientation. Browsers show the frames as they are, and so do we.
  const upright = animated ? image : image.autoOrient();
  const { data, info } = await encoders[format](upright, source).toBuffer({ resolveWithObject: true });
  return { bytes: data, format, width: info.width, height: info.pageHeight ?? info.height };
}
