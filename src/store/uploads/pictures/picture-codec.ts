import type { Metadata, Sharp, SharpOptions } from 'sharp';
import { reachesGifTrailer } from './gif-end.js';
import { sharp } from './image-library.js';
import type { Derivative, DerivativeFormat } from './derivative.js';
import type { Picture } from './picture.js';
import type { PictureFormat } from './picture-format.js';
import { PictureRefused } from './picture-refused.js';

const maxSeconds = 30;
const thumbnailEdge = 128;

const brokenSentence =
  'The picture is damaged or incomplete and cannot be decoded: export it again, and send the new file';

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

/**
 * The facts in the header; reading it decodes nothing, so that a bomb is refused before it goes off. Throws
 * `PictureRefused`, as all of these do.
 */
export function headerOf(bytes: Buffer, format: PictureFormat): Promise<Metadata> {
  return decoding(readHeader(bytes, format));
}

async function readHeader(bytes: Buffer, format: PictureFormat): Promise<Metadata> {
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

/** The picture in its own format, upright, without any metadata. */
export function rewritten(bytes: Buffer, source: Decodable): Promise<Picture> {
  return decoding(rewrite(bytes, source));
}

async function rewrite(bytes: Buffer, { format, metadata, pixels }: Decodable): Promise<Picture> {
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

/** A small WebP of the first frame. */
export function thumbnailOf(bytes: Buffer, pixels: number): Promise<Buffer> {
  const size = { width: thumbnailEdge, height: thumbnailEdge, fit: 'inside', withoutEnlargement: true } as const;
  const image = sharp(bytes, { limitInputPixels: pixels }).resize(size).webp({ quality: 70 });
  return decoding(image.timeout({ seconds: maxSeconds }).toBuffer());
}

/** Of smaller pictures, which are many, a lower quality suffices. */
const derivers: Record<DerivativeFormat, (image: Sharp) => Sharp> = {
  avif: (image) => image.avif({ quality: 55, effort: 3, chromaSubsampling: '4:2:0' }),
  webp: (image) => image.webp({ quality: 78, effort: 4 }),
  jpeg: (image) => image.flatten({ background: '#fff' }).jpeg({ quality: 80 }),
};

/** The first frame, no wider than asked and no larger than it is, without any metadata. */
export function derived(bytes: Buffer, pixels: number, { width, format }: Derivative): Promise<Buffer> {
  const image = sharp(bytes, { limitInputPixels: pixels }).autoOrient().resize({ width, withoutEnlargement: true });
  return decoding(derivers[format](image).timeout({ seconds: maxSeconds }).toBuffer());
}
