import { describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { loadSettings } from '../../../../../src/config/settings.js';
import { TooManyRequests, Unavailable } from '../../../../../src/platform/errors/errors.js';
import { Pictures } from '../../../../../src/store/uploads/pictures/pictures.js';
import { makeAnimation, makeBomb, makePicture, pictureFormats, type TestFormat } from '../../../../support/pictures.js';

const pictures = new Pictures(loadSettings({}));
const rewrite = (bytes: Buffer, ownerId = 'ada') => pictures.rewrite(bytes, ownerId);

describe('Pictures.rewrite', () => {
  it.each(pictureFormats)('re-encodes a %s in its own format and size', async (format) => {
    const picture = await rewrite(await makePicture(format));
    expect(picture).toMatchObject({ format, width: 60, height: 40 });
    const metadata = await sharp(picture.bytes).metadata();
    expect(metadata).toMatchObject({ format: format === 'avif' ? 'heif' : format, width: 60, height: 40 });
  });

  it.each(['jpeg', 'png', 'webp', 'avif'] as const)('leaves no metadata in a %s', async (format) => {
    const tagged = await sharp(await makePicture(format))
      .withExif({ IFD0: { Copyright: 'Ada', ImageDescription: 'at home' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf>secret</rdf></x:xmpmeta>')
      .withIccProfile('p3')
      .toFormat(format)
      .toBuffer();
    expect((await sharp(tagged).metadata()).exif).toBeDefined();
    const { bytes } = await rewrite(tagged);
    const { exif, xmp, icc, iptc } = await sharp(bytes).metadata();
    expect({ exif, xmp, icc, iptc }).toEqual({ exif: undefined, xmp: undefined, icc: undefined, iptc: undefined });
  });

  it('drops what is hidden after a picture', async () => {
    const polyglot = Buffer.concat([await makePicture('png'), Buffer.from('<script>alert(1)</script>')]);
    expect((await rewrite(polyglot)).bytes.includes('<script>')).toBe(false);
  });

  it('turns a picture upright as its EXIF orientation says', async () => {
    const left = { create: { width: 30, height: 40, channels: 3, background: 'red' } } as const;
    const sideways = await sharp({ create: { width: 60, height: 40, channels: 3, background: 'blue' } })
      .composite([{ input: left, left: 0, top: 0 }])
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const { bytes, width, height } = await rewrite(sideways);
    expect({ width, height }).toEqual({ width: 40, height: 60 });
    // Orientation 6 is a quarter turn clockwise: what was on the left ends up on top.
    const { data } = await sharp(bytes).extract({ left: 20, top: 5, width: 1, height: 1 }).raw().toBuffer({
      resolveWithObject: true,
    });
    expect(data[0]).toBeGreaterThan(200);
    expect(data[2]).toBeLessThan(60);
  });

  it.each(['gif', 'webp'] as const)('keeps the animation of a %s', async (format) => {
    const picture = await rewrite(await makeAnimation(format));
    expect(picture).toMatchObject({ format, width: 20, height: 10 });
    const { pages, delay, loop } = await sharp(picture.bytes).metadata();
    expect({ pages, delay, loop }).toEqual({ pages: 4, delay: [70, 70, 70, 70], loop: 3 });
  });

  it('keeps the palette of a PNG', async () => {
    const palette = await sharp(await makePicture('png'))
      .png({ palette: true, colors: 16 })
      .toBuffer();
    expect((await sharp((await rewrite(palette)).bytes).metadata()).isPalette).toBe(true);
  });

  it('keeps transparency', async () => {
    const clear = await sharp({ create: { width: 8, height: 8, channels: 4, background: '#0000' } })
      .png()
      .toBuffer();
    expect((await sharp((await rewrite(clear)).bytes).metadata()).hasAlpha).toBe(true);
  });

  it.each(pictureFormats)('refuses a truncated %s', async (format) => {
    const whole = await makePicture(format, 200, 150);
    for (const length of [20, whole.length >> 1, whole.length - 20]) {
      await expect(rewrite(whole.subarray(0, length))).rejects.toMatchObject({ reason: 'broken' });
    }
  });

  it.each(['gif', 'webp'] as const)('refuses a truncated animated %s', async (format) => {
    const whole = await makeAnimation(format);
    for (const part of [0.3, 0.6, 0.9]) {
      const cut = whole.subarray(0, Math.floor(whole.length * part));
      await expect(rewrite(cut)).rejects.toMatchObject({ reason: 'broken' });
    }
  });

  it.each([
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>')],
    ['text', Buffer.from('hello')],
    ['nothing', Buffer.alloc(0)],
  ])('refuses %s by its type', async (_name, bytes) => {
    await expect(rewrite(bytes)).rejects.toMatchObject({ reason: 'type' });
  });

  it('refuses a few kilobytes that claim gigapixels, without allocating memory for them', async () => {
    const before = process.memoryUsage().rss;
    const bomb = makeBomb(60_000, 60_000);
    const built = process.memoryUsage().rss;
    await expect(rewrite(bomb)).rejects.toMatchObject({ reason: 'too_large' });
    expect(process.memoryUsage().rss - Math.max(before, built)).toBeLessThan(50_000_000);
  });

  it('accepts 50 megapixels and refuses more', async () => {
    expect(await rewrite(makeBomb(10_000, 5_000))).toMatchObject({ width: 10_000, height: 5_000 });
    await expect(rewrite(makeBomb(10_000, 5_001))).rejects.toMatchObject({ reason: 'too_large' });
  });

  it('counts the pixels of all frames of an animation', async () => {
    const frame = await sharp({ create: { width: 2_000, height: 2_000, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    const frames = Array.from({ length: 13 }, () => frame);
    const gif = await sharp(frames, { join: { animated: true } })
      .gif({ effort: 1, keepDuplicateFrames: true })
      .toBuffer();
    expect((await sharp(gif).metadata()).pages).toBe(13);
    await expect(rewrite(gif)).rejects.toMatchObject({ reason: 'too_large' });
  });

  it('accepts many at once, and processes a few at a time', async () => {
    const bytes = await makePicture('jpeg', 400, 300);
    const done = await Promise.all(Array.from({ length: 30 }, () => rewrite(bytes)));
    expect(done.every(({ width }) => width === 400)).toBe(true);
  });

  it('refuses an owner with too many pictures waiting, and accepts those of others', async () => {
    const bytes = await makePicture('jpeg');
    const all = Promise.allSettled(Array.from({ length: 120 }, () => rewrite(bytes)));
    expect((await rewrite(bytes, 'grace')).width).toBe(60);
    const refused = (await all).filter((one) => one.status === 'rejected');
    expect(refused.length).toBeGreaterThan(0);
    for (const { reason } of refused) expect(reason).toBeInstanceOf(TooManyRequests);
    expect((await rewrite(bytes)).width).toBe(60);
  });

  it('refuses everybody when too many are waiting', async () => {
    const bytes = await makePicture('jpeg');
    const all = await Promise.allSettled(Array.from({ length: 120 }, (_, at) => rewrite(bytes, `user ${at}`)));
    const refused = all.filter((one) => one.status === 'rejected');
    expect(refused.length).toBeGreaterThan(0);
    for (const { reason } of refused) expect(reason).toBeInstanceOf(Unavailable);
  });

  it('reads a picture only once it is admitted', async () => {
    const bytes = await makePicture('jpeg', 800, 600);
    let begun = 0;
    const read = (): Promise<Buffer> => {
      begun++;
      return Promise.resolve(bytes);
    };
    const all = Promise.all(Array.from({ length: 12 }, () => pictures.rewrite(read, 'ada')));
    await new Promise((resolve) => setImmediate(resolve));
    expect(begun).toBe(2);
    await all;
    expect(begun).toBe(12);
  });

  it.each([
    ['webp', 5_000, 5_000],
    ['gif', 6_000, 6_000],
    ['avif', 4_000, 4_000],
  ] as const)(
    'refuses a %s of %i by %i, whose decoder would take more than its share',
    async (format, width, height) => {
      const plain = sharp({ create: { width, height, channels: 3, background: '#345' } });
      const bytes = await plain.toFormat(format, { effort: 1 }).toBuffer();
      await expect(rewrite(bytes)).rejects.toMatchObject({ reason: 'too_large' });
    },
  );
});

async function thumbnailOf(format: TestFormat, width: number, height: number) {
  const url = await pictures.thumbnail(await rewrite(await makePicture(format, width, height)), 'ada');
  return { url, metadata: await sharp(Buffer.from(url.split(',')[1] ?? '', 'base64')).metadata() };
}

describe('Pictures.thumbnail', () => {
  it('is a WebP data URL of at most 128 pixels', async () => {
    const { url, metadata } = await thumbnailOf('jpeg', 400, 200);
    expect(url).toMatch(/^data:image\/webp;base64,/);
    expect(metadata).toMatchObject({ format: 'webp', width: 128, height: 64 });
  });

  it('does not enlarge', async () => {
    expect((await thumbnailOf('png', 20, 10)).metadata).toMatchObject({ width: 20, height: 10 });
  });

  it('shows the first frame of an animation', async () => {
    const url = await pictures.thumbnail(await rewrite(await makeAnimation('gif')), 'ada');
    const metadata = await sharp(Buffer.from(url.split(',')[1] ?? '', 'base64')).metadata();
    expect(metadata).toMatchObject({ width: 20, height: 10 });
    expect(metadata.pages ?? 1).toBe(1);
  });
});
