import { type AvatarLook, drawAvatar } from './avatar.js';
import { bagDrawings } from './bags.js';
import { clothingDrawings } from './clothing.js';
import { deskDrawings } from './desk.js';
import { homeDrawings } from './home.js';
import { kitchenDrawings } from './kitchen.js';
import { outdoorDrawings } from './outdoor.js';
import { shoeDrawings } from './shoes.js';
import { circle, ellipse, rect } from './shapes.js';
import { type DemoColor, tonesOf } from './tones.js';

const drawings = {
  ...clothingDrawings,
  ...shoeDrawings,
  ...bagDrawings,
  ...homeDrawings,
  ...kitchenDrawings,
  ...deskDrawings,
  ...outdoorDrawings,
};

/** A kind of product that there is a drawing of. */
export type PictureKind = keyof typeof drawings;

/** Draws a product of this kind in this colour and returns it as a WebP picture of 640 by 640 pixels. */
export function renderPicture(kind: PictureKind, color: DemoColor): Promise<Buffer> {
  const tones = tonesOf(color);
  return toWebp(
    [
      rect(0, 0, 640, 640, 0, tones.backdrop),
      circle(320, 312, 262, tones.disc),
      `<g opacity="0.28">${ellipse(320, 528, 208, 16, tones.shadow)}</g>`,
      drawings[kind](tones),
    ].join(''),
    640,
  );
}

/** Draws a person's portrait and returns it as a WebP picture of 256 by 256 pixels. */
export function renderAvatar(look: AvatarLook): Promise<Buffer> {
  return toWebp(drawAvatar(look), 256);
}

async function toWebp(drawing: string, size: number): Promise<Buffer> {
  // Only the first start draws.
  const { sharp } = await import('../../store/uploads/pictures/image-library.js');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 640 640">${drawing}</svg>`;
  // The least effort is three times as fast as the usual one, and these flat pictures stay under 20 kB with it.
  return sharp(Buffer.from(svg)).webp({ quality: 82, effort: 1 }).toBuffer();
}
