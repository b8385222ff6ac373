import { fileURLToPath } from 'node:url';

/** The path of one of the demo's pictures: WebP, products of 640 by 640 pixels, portraits of 256 by 256. */
export function pictureFile(name: string): string {
  return fileURLToPath(new URL(`../pictures/${name}.webp`, import.meta.url));
}
