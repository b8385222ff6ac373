import type { PictureFormat } from './picture-format.js';

/** A picture as it is stored: decoded and written anew. */
export interface Picture {
  bytes: Buffer;
  format: PictureFormat;
  width: number;
  /** The height of one frame, for an animation. */
  height: number;
}
