import type { PictureKind } from '../../../pictures/render-pictures.js';
import type { DemoColor } from '../../../pictures/tones.js';

/** One product of the demo. `picture` is the drawing, tinted by `color`, or by `tint` where it has no colour. */
export interface DemoProduct {
  name: string;
  description: string;
  priceCents: number;
  stock: number;
  color: DemoColor | null;
  tint?: DemoColor;
  material: string | null;
  size: string | null;
  picture: PictureKind;
}
