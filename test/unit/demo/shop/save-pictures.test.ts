import { beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { demoProducts, people, reviewTexts } from '@store-service/demo';
import { type PictureUrls, savePictures } from '../../../../src/demo/shop/save-pictures.js';

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
    expect(kind).toBe(kindOf(name));
    saved.set(name, bytes);
    savingAtOnce--;
    return `/uploads/${name}`;
  });
});

function kindOf(name: string): string {
  if (name.startsWith('demo-avatar-')) return 'avatar';
  return name.startsWith('demo-photo-') ? 'general' : 'product';
}

function picturesNamed(test: (name: string) => boolean): Buffer[] {
  return [...saved].filter(([name]) => test(name)).map(([, bytes]) => bytes);
}

describe('savePictures', () => {
  it('returns a URL for every picture of a product, every photo of a review and every user', () => {
    const photos = reviewTexts.flatMap(({ photo }) => photo ?? []);
    expect(photos.length).toBeGreaterThanOrEqual(8);
    for (const photo of photos) expect(urls.pictures.get(photo)).toMatch(/^\/uploads\/demo-photo-[a-z0-9-]+\.webp$/);
    for (const { name } of demoProducts.flatMap(({ pictures }) => pictures)) {
      expect(urls.pictures.get(name)).toMatch(/^\/uploads\/demo-[a-z0-9-]+\.webp$/);
    }
    for (const { username } of people) {
      expect(urls.avatars.get(username)).toMatch(/^\/uploads\/demo-avatar-[a-z0-9-]+\.webp$/);
    }
  });

  it('saves products as WebP of 640 by 640 pixels that are not blank', async () => {
    const drawn = picturesNamed((name) => !name.startsWith('demo-avatar-'));
    expect(drawn.length).toBeGreaterThanOrEqual(40);
    for (const bytes of drawn) {
      const { format, width, height } = await sharp(bytes).metadata();
      expect({ format, width, height }).toEqual({ format: 'webp', width: 640, height: 640 });
      expect((await sharp(bytes).stats()).entropy).toBeGreaterThan(1);
    }
  });

  it('saves portraits as WebP of 256 by 256 pixels', async () => {
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
