import type { Metadata } from 'sharp';
import type { PictureFormat } from './picture-format.js';
import { PictureRefused } from './picture-refused.js';

// Unspecified: how large a picture may be. Fifty megapixels are what the largest phones take.
const maxPixels = 50_000_000;
// Unspecified: how long an animation may be; frames cost time even when they are a pixel wide.
const maxFrames = 1_000;

/**
 * The memory that decoding a pixel and writing it anew takes at most, in bytes: measured with sharp 0.35 on the costliest
 * pictures of each format (16 bits and interlaced, progressive and rotated, with alpha, of 4:4:4 and 12 bits).
 */
const bytesPerPixel: Record<PictureFormat, number> = { png: 10, jpeg: 10, webp: 23, gif: 17, avif: 35 };

const namesOfFormats: Record<PictureFormat, string> = {
  png: 'PNG',
  jpeg: 'JPEG',
  webp: 'WebP',
  gif: 'GIF',
  avif: 'AVIF',
};

/** The memory in bytes that a picture of so many pixels takes while it is in work. */
export function memoryFor(format: PictureFormat, pixels: number): number {
  return bytesPerPixel[format] * pixels;
}

/** The pixels of all frames together; throws `PictureRefused` where they would take more than `memoryBytes`. */
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
