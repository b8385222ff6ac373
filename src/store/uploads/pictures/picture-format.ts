/** The formats of pictures: the extension of our file names, and the media type. */
export const pictureFormats = {
  png: { extension: 'png', contentType: 'image/png' },
  jpeg: { extension: 'jpg', contentType: 'image/jpeg' },
  webp: { extension: 'webp', contentType: 'image/webp' },
  gif: { extension: 'gif', contentType: 'image/gif' },
  avif: { extension: 'avif', contentType: 'image/avif' },
} as const;

export type PictureFormat = keyof typeof pictureFormats;

const contentTypes = new Map<string, string>(
  Object.values(pictureFormats).map(({ extension, contentType }) => [extension, contentType]),
);

/** The media type of one of our files, by its extension; null for any other name. */
export function contentTypeOf(filename: string): string | null {
  const extension = /^[a-z0-9][a-z0-9-]*\.([a-z]+)$/.exec(filename)?.[1];
  return contentTypes.get(extension ?? '') ?? null;
}

function startsWith(bytes: Buffer, text: string, at = 0): boolean {
  return bytes.subarray(at, at + text.length).toString('latin1') === text;
}

/** Whether the brands of the first box say AVIF (ISO/IEC 14496-12, section 4.3; AV1 Image File Format, section 4). */
function isAvif(bytes: Buffer): boolean {
  if (bytes.length < 16 || !startsWith(bytes, 'ftyp', 4)) return false;
  const end = Math.min(bytes.readUInt32BE(0), bytes.length, 512);
  const brands = bytes.subarray(8, end).toString('latin1').match(/.{4}/gs) ?? [];
  // The second word is a version, not a brand.
  return brands.some((brand, index) => index !== 1 && (brand === 'avif' || brand === 'avis'));
}

/** The format of a picture by its first bytes, or null for one that the service does not accept. */
export function formatOf(bytes: Buffer): PictureFormat | null {
  if (startsWith(bytes, '\x89PNG\r\n\x1a\n')) return 'png';
  if (startsWith(bytes, '\xff\xd8\xff')) return 'jpeg';
  if (startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8)) return 'webp';
  if (startsWith(bytes, 'GIF87a') || startsWith(bytes, 'GIF89a')) return 'gif';
  return isAvif(bytes) ? 'avif' : null;
}
