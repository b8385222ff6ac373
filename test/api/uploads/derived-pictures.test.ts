import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { pictureSources } from '../../../packages/sdk/src/picture-sources.js';
import sharp from 'sharp';
import { Settings } from '../../../src/config/settings.js';
import { PictureStorage } from '../../../src/store/uploads/storage/picture-storage.js';
import type { UploadedPicture } from '../../../src/store/uploads/uploads.dto.js';
import { UploadsService } from '../../../src/store/uploads/uploads.service.js';
import { type InsertedUser, insertUser } from '../../support/accounts.js';
import { formWith, makeAnimation, makePicture } from '../../support/pictures.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let other: Awaited<ReturnType<TestApp['anotherNode']>>;
let user: InsertedUser;
beforeAll(async () => {
  app = await startTestApp();
  other = await app.anotherNode();
  user = await insertUser(app);
});
afterAll(() => app.close());
afterEach(() => {
  jest.restoreAllMocks();
});

async function upload(bytes: Buffer): Promise<UploadedPicture> {
  const raw = formWith(bytes);
  return (await app.api.post<UploadedPicture>('/api/v1/uploads/general', { token: user.token, raw })).body;
}

const get = (url: string, base = app.baseUrl) => fetch(base + url);
const read = async (url: string) => sharp(Buffer.from(await (await get(url)).arrayBuffer())).metadata();
const folder = () => join(app.nest.get(Settings).dataDir, 'uploads', 'general');
const filesOf = async ({ filename }: UploadedPicture) =>
  (await readdir(folder())).filter((name) => name.startsWith(filename.split('.')[0] ?? ''));

describe('A stored picture', () => {
  it.each([
    ['width=160&format=webp', 'webp', 160],
    ['width=320&format=jpeg', 'jpeg', 320],
    ['width=640&format=avif', 'heif', 640],
    ['width=640', 'webp', 640],
    ['format=jpeg', 'jpeg', 900],
    ['width=1920&format=webp', 'webp', 900],
  ])('is served by %s', async (query, format, width) => {
    const { url } = await upload(await makePicture('png', 900, 600));
    expect(await read(`${url}?${query}`)).toMatchObject({ format, width, height: Math.round((width * 2) / 3) });
  });

  it('has the headers of an original', async () => {
    const { url, filename } = await upload(await makePicture('jpeg', 400, 300));
    const { status, headers } = await get(`${url}?width=160&format=avif`);
    expect(status).toBe(200);
    const etag = `"${filename.replace('.', '-')}-w160.avif"`;
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/avif',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      etag,
    });
  });

  it.each(['width=100', 'width=x', 'width=', 'format=png', 'width=160&format=svg'])(
    'is refused by %s',
    async (query) => {
      const { url } = await upload(await makePicture('png'));
      expect((await get(`${url}?${query}`)).status).toBe(422);
    },
  );

  it('is made once for all who ask at the same time, on two nodes', async () => {
    const { url } = await upload(await makePicture('jpeg', 800, 600));
    const saves = [app.nest, other.nest].map((nest) => jest.spyOn(nest.get(PictureStorage), 'save'));
    const bases = Array.from({ length: 20 }, (_, n) => (n % 2 ? app.baseUrl : other.api.baseUrl));
    const answers = await Promise.all(bases.map((base) => get(`${url}?width=320&format=webp`, base)));
    const bodies = await Promise.all(answers.map(async (answer) => Buffer.from(await answer.arrayBuffer())));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(bodies.map((body) => body.toString('base64'))).size).toBe(1);
    expect(saves.flatMap((save) => save.mock.calls)).toHaveLength(1);
  });

  it('goes with all that was made of it', async () => {
    const picture = await upload(await makePicture('jpeg', 400, 300));
    await get(`${picture.url}?width=160&format=webp`);
    await get(`${picture.url}?width=320&format=jpeg`);
    expect(await filesOf(picture)).toHaveLength(3);
    await app.api.delete(`/api/v1${picture.url}`, { token: user.token });
    expect(await filesOf(picture)).toEqual([]);
    expect((await get(`${picture.url}?width=160&format=webp`)).status).toBe(404);
  });

  it('is made anew where the service replaces the original', async () => {
    const uploads = app.nest.get(UploadsService);
    const url = await uploads.saveGenerated('product', 'lamp.webp', await makePicture('webp', 300, 200));
    expect((await read(`${url}?width=160&format=jpeg`)).height).toBe(107);
    await uploads.saveGenerated('product', 'lamp.webp', await makePicture('webp', 300, 300));
    expect((await read(`${url}?width=160&format=jpeg`)).height).toBe(160);
  });

  it('has no metadata, even if the original on disk has', async () => {
    const { url, filename } = await upload(await makePicture('jpeg', 400, 300));
    const exif = { IFD0: { Copyright: 'somebody' }, IFD3: { GPSLatitude: '52/1 30/1 0/1' } };
    const marked = await sharp(await makePicture('jpeg', 400, 300))
      .withExif(exif)
      .jpeg()
      .toBuffer();
    expect((await sharp(marked).metadata()).exif).toBeDefined();
    await writeFile(join(folder(), filename), marked);
    for (const format of ['webp', 'jpeg', 'avif']) {
      const { exif: left, xmp, iptc } = await read(`${url}?width=160&format=${format}`);
      expect([left, xmp, iptc]).toEqual([undefined, undefined, undefined]);
    }
  });

  it('stands still where it moves, and is served as it is where it cannot be decoded', async () => {
    const moving = await upload(await makeAnimation('gif'));
    expect(await read(`${moving.url}?width=160&format=webp`)).toMatchObject({ format: 'webp', width: 20, height: 10 });
    const { url, filename } = await upload(await makePicture('png'));
    await writeFile(join(folder(), filename), 'no picture');
    const answer = await get(`${url}?width=160&format=webp`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png']);
  });

  it.each(['/uploads/general/absent.png', '/uploads/secret/x.png', '/uploads/general/x.svg'])(
    'is a 404 where there is none: %s',
    async (path) => {
      expect((await get(`${path}?width=160&format=webp`)).status).toBe(404);
    },
  );
});

describe('pictureSources', () => {
  it('names addresses that the service serves', async () => {
    const { url } = await upload(await makePicture('png', 900, 600));
    const { src, srcset, sources } = pictureSources(url, [160, 640]);
    const addresses = [src, ...[srcset, ...sources.map((one) => one.srcset)].flatMap((set) => set.split(', '))];
    expect(addresses).toHaveLength(7);
    for (const address of addresses) expect((await get(address.split(' ')[0] ?? '')).status).toBe(200);
  });

  it.each(['https://example.com/lamp.jpg', '/other/lamp.jpg', '/uploads/product/lamp.jpg?x=1', ''])(
    'leaves the address of elsewhere as it is: %s',
    (url) => {
      expect(pictureSources(url)).toEqual({ src: url, srcset: '', sources: [] });
    },
  );
});
