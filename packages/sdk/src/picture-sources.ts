/** The widths in which the service serves stored pictures. */
export const pictureWidths = [160, 320, 640, 960, 1280, 1920] as const;

/** What an `<img>` or a `<picture>` takes for one picture. */
export interface PictureSources {
  /** For `src`: 640 pixels wide, as JPEG. */
  src: string;
  /** For `srcset` of an `<img>`: all widths, as WebP. Empty for a picture of elsewhere. */
  srcset: string;
  /** For each `<source>` of a `<picture>`, the smallest format first. Empty for a picture of elsewhere. */
  sources: { type: string; srcset: string }[];
}

const stored = /\/uploads\/(?:product|avatar|general)\/[\w-]+\.\w+$/;

/**
 * The addresses of a picture in all widths and formats. A picture that the service does not store, at another address, has its own
 * address alone. `widths` narrows them to those that a page shows.
 */
export function pictureSources(url: string, widths: readonly number[] = pictureWidths): PictureSources {
  if (!stored.test(url)) return { src: url, srcset: '', sources: [] };
  const at = (width: number, format: string): string => `${url}?width=${width}&format=${format}`;
  const srcset = (format: string): string => widths.map((width) => `${at(width, format)} ${width}w`).join(', ');
  return {
    src: at(640, 'jpeg'),
    srcset: srcset('webp'),
    sources: [
      { type: 'image/avif', srcset: srcset('avif') },
      { type: 'image/webp', srcset: srcset('webp') },
    ],
  };
}
