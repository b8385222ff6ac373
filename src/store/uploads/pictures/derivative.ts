/** The widths and formats in which stored pictures are served. */
export const derivativeWidths = ['160', '320', '640', '960', '1280', '1920'] as const;
export const derivativeFormats = ['avif', 'webp', 'jpeg'] as const;

export type DerivativeWidth = (typeof derivativeWidths)[number];
export type DerivativeFormat = (typeof derivativeFormats)[number];

/** A picture in another width and format. */
export interface Derivative {
  width: number;
  format: DerivativeFormat;
}

const extensions: Record<DerivativeFormat, string> = { avif: 'avif', webp: 'webp', jpeg: 'jpg' };

/** The name under which a derivative is stored beside its original. */
export function derivativeName(filename: string, { width, format }: Derivative): string {
  return `${filename.replace('.', '-')}-w${width}.${extensions[format]}`;
}

/** The names of all derivatives that a picture may have. */
export function derivativeNames(filename: string): string[] {
  return derivativeWidths.flatMap((width) =>
    derivativeFormats.map((format) => derivativeName(filename, { width: Number(width), format })),
  );
}
