import sharp from 'sharp';
import { headersOf } from '../../contestants.js';
import type { PersistentCaller } from './persistent-caller.js';

const asCaller = headersOf('service');
const shoppers = 100;
const side = 40;

/** Uploads of pictures, each read at once. */
export class PictureLoad {
  /** The paths of those that were answered. */
  readonly pictures: string[] = [];

  constructor(private readonly caller: PersistentCaller) {}

  async upload(n: number): Promise<void> {
    const background = { r: n % 256, g: (n >> 8) % 256, b: 90 };
    const picture = await sharp({ create: { width: side, height: side, channels: 3, background } })
      .png()
      .toBuffer();
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(picture)], { type: 'image/png' }), 'picture.png');
    const headers = asCaller.asShopper(1 + (n % shoppers));
    const call = { method: 'POST', path: '/api/v1/uploads/general', headers, body: form } as const;
    const { url } = await this.caller.persist<{ url: string }>(call);
    this.pictures.push(url);
    await this.caller.once({ method: 'GET', path: url, headers: {} });
  }

  /** How many of those that were answered cannot be read. */
  async lost(): Promise<number> {
    let lost = 0;
    for (const path of this.pictures) {
      await this.caller.once({ method: 'GET', path, headers: {} }).catch(() => lost++);
    }
    return lost;
  }
}
