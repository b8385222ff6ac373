import type { Metadata } from 'sharp';
import type { PictureFormat } from './picture-format.js';
import { PictureRefused } from './picture-refused.js';

// Unspecified: how large a picture may be. Fifty megapixels are what the largest phones take.
const maxPixels = 50_000_000;
// Unspecified: how long an animation may be; each frame costs time, even of one pixel.
const maxFrames = 1_000;

/**
 * The memory that decoding a pixel and writing it anew takes at most, in bytes: measured with sharp 0.35 on the
 * costliest pictures of each format (16 bits and interlaced, progressive and rotated, with alpha, of 4:4:4 and 12
 * bits).
 */
const bytesPerPixel: Record<PictureFormat, number> = { png: 10, jpeg: 10, webp: 23, gif: 17, avif: 35 };

const namesOfFormats: Record<PictureFormat, string> = {
  png: 'PNG',
  jpeg: 'JPEG',
  webp: 'WebP',
  gif: 'GIF',
  avif: 'AVIF',
};

const { png, gif, webp, avif } = bytesPerPixel;

/** The formats and bounds of uploads, for the interface description. */
export const pictureBounds =
  'a PNG, JPEG, WebP, GIF or AVIF by its bytes, of at most 5 MiB, 50 megapixels (all frames of an animation together) ' +
  `and ${maxFrames} frames. Decoding takes ${png} bytes a pixel as PNG or JPEG, ${gif} as GIF, ${webp} as WebP and ` +
  `${avif} as AVIF, and no more than PICTURE_MEMORY_MB in all: by default that bounds a GIF to 31 megapixels, a WebP ` +
  'to 23 and an AVIF to 15';

/** The memory in bytes that rewriting a picture of so many pixels takes. */
export function memoryFor(format: PictureFormat, pixels: number): number {
  return bytesPerPixel[format] * pixels;
}

/** The pixels of all frames together; throws `PictureRefused` if they would take more than `memoryBytes`. */
export function pixelsWithin(
  memoryBytes: number,
  format: PictureFormat,
  { width, height, pages = 1 }: Pick<Metadata, 'width' | 'height' | 'pages'>,
): number {
  const limit = Math.min(maxPixels, Math.floor(memoryBytes / bytesPerPixel[format]));
  const pixels = width * height * pages;
  if (pixels <= limit && pages <= maxFrames) return pixels;
  const most = Math.floor(limit / 1e6);
  const sentence = `The picture is too large: as ${namesOfFormats[format]} it may have ${most} megapixels, all frames of an animation together, and ${maxFrames} frames`;
  throw new PictureRefused('too_large', sentence);
}
