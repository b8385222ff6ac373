import { deflateSync } from 'node:zlib';
import sharp from 'sharp';

export const pictureFormats = ['png', 'jpeg', 'webp', 'gif', 'avif'] as const;
export type TestFormat = (typeof pictureFormats)[number];

/** A picture with some texture, so that it does not compress to almost nothing. */
export async function makePicture(format: TestFormat, width = 60, height = 40): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const image = sharp({ create: { width, height, channels: 3, background: '#345', noise } });
  return image.toFormat(format).toBuffer();
}

/**
 * An animation of `pages` frames of 20 by 10 pixels, each a different gray, shown for 70 ms each, played three times.
 */
export function makeAnimation(format: 'gif' | 'webp', pages = 4): Promise<Buffer> {
  const frame = 20 * 10 * 3;
  const pixels = Buffer.alloc(frame * pages);
  for (let page = 0; page < pages; page++) pixels.fill((page * 60 + 10) % 256, page * frame, (page + 1) * frame);
  const raw = { width: 20, height: 10 * pages, channels: 3, pageHeight: 10 } as const;
  const options = { delay: Array.from({ length: pages }, () => 70), loop: 3 };
  return sharp(pixels, { raw })[format](options).toBuffer();
}

const crcTable = Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value >>> 0;
});

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  let crc = 0xffffffff;
  for (const byte of body) crc = (crcTable[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE((crc ^ 0xffffffff) >>> 0, body.length + 4);
  return chunk;
}

/** A valid black PNG with one bit a pixel: a few kilobytes that decode to many megapixels. */
export function makeBomb(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(1, 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height))),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

export interface FormFile {
  field?: string;
  name?: string;
  type?: string;
}

/** The form that a browser sends with a file. */
export function formWith(bytes: Uint8Array, { field = 'file', name = 'photo.png', type = 'image/png' }: FormFile = {}) {
  const form = new FormData();
  form.append(field, new Blob([Uint8Array.from(bytes)], { type }), name);
  return form;
}
