import { beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { people } from '../../../../src/demo/data/shop/people.js';
import { type PictureUrls, savePictures } from '../../../../src/demo/shop/save-pictures.js';
import { renderPicture } from '../../../../src/demo/pictures/render-pictures.js';
import { demoProducts } from '../../../../src/demo/shop/products.js';

const saved = new Map<string, Buffer>();
let saves = 0;
let savingAtOnce = 0;
let mostAtOnce = 0;
let urls: PictureUrls;

beforeAll(async () => {
  urls = await savePictures(async (kind, name, bytes) => {
    saves++;
    savingAtOnce++;
    mostAtOnce = Math.max(mostAtOnce, savingAtOnce);
    await Promise.resolve();
    expect(kind).toBe(name.startsWith('demo-avatar-') ? 'avatar' : 'product');
    saved.set(name, bytes);
    savingAtOnce--;
    return `/uploads/${name}`;
  });
});

function picturesNamed(test: (name: string) => boolean): Buffer[] {
  return [...saved].filter(([name]) => test(name)).map(([, bytes]) => bytes);
}

describe('savePictures', () => {
  it('returns a URL for every product and every user', () => {
    for (const { name } of demoProducts) expect(urls.products.get(name)).toMatch(/^\/uploads\/demo-[a-z0-9-]+\.webp$/);
    for (const { username } of people) {
      expect(urls.avatars.get(username)).toMatch(/^\/uploads\/demo-avatar-[a-z0-9-]+\.webp$/);
    }
  });

  it('draws products as WebP of 640 by 640 pixels that are not blank', async () => {
    const drawn = picturesNamed((name) => !name.startsWith('demo-avatar-'));
    expect(drawn.length).toBeGreaterThan(70);
    for (const bytes of drawn) {
      const { format, width, height } = await sharp(bytes).metadata();
      expect({ format, width, height }).toEqual({ format: 'webp', width: 640, height: 640 });
      expect((await sharp(bytes).stats()).entropy).toBeGreaterThan(1);
    }
  });

  it('draws portraits as WebP of 256 by 256 pixels', async () => {
    for (const bytes of picturesNamed((name) => name.startsWith('demo-avatar-'))) {
      const { format, width, height } = await sharp(bytes).metadata();
      expect({ format, width, height }).toEqual({ format: 'webp', width: 256, height: 256 });
    }
  });

  it('saves each picture once, one at a time', () => {
    expect(saves).toBe(saved.size);
    expect(mostAtOnce).toBe(1);
  });

  it('gives no two users the same portrait', () => {
    expect(new Set(people.map(({ username }) => urls.avatars.get(username))).size).toBe(people.length);
  });
});

describe('renderPicture', () => {
  it('draws the same picture each time', async () => {
    expect((await renderPicture('mug', 'Blue')).equals(await renderPicture('mug', 'Blue'))).toBe(true);
  });

  it('tints the drawing with the colour', async () => {
    const [red, , blue] = (await sharp(await renderPicture('mug', 'Blue')).stats()).channels;
    expect(blue?.mean).toBeGreaterThan((red?.mean ?? 255) + 10);
    const [otherRed, , otherBlue] = (await sharp(await renderPicture('mug', 'Red')).stats()).channels;
    expect(otherRed?.mean).toBeGreaterThan((otherBlue?.mean ?? 255) + 10);
  });
});
