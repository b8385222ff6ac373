import { mkdir, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Settings } from '../../../src/config/settings.js';
import { UploadsService } from '../../../src/store/uploads/uploads.service.js';
import type { UploadedPicture } from '../../../src/store/uploads/uploads.dto.js';
import { makePicture } from '../../support/pictures.js';
import { until } from '../../support/receiver.js';
import { type S3Server, startS3Server } from '../../support/s3-server.js';
import { UploadScene } from './upload-scene.js';

let s3: S3Server;
let scene: UploadScene;
let picture: UploadedPicture;
beforeAll(async () => {
  s3 = await startS3Server();
  scene = await UploadScene.start({ env: { STORAGE_URL: s3.url } });
  picture = (await scene.upload('general')).body;
});
afterAll(async () => {
  await scene.app.close();
  await s3.close();
});

const keyOf = (kind: string, filename: string) => `/pictures/shop/${kind}/${filename}`;
const get = (url: string, init: RequestInit = {}) => fetch(scene.app.baseUrl + url, init);

/** `fetch` would add headers. */
function statusOf(path: string, headers: Record<string, string>): Promise<[status: number, body: string]> {
  return new Promise((resolve, reject) => {
    const sent = request(scene.app.baseUrl, { path, headers }, (response) => {
      text(response).then((body) => resolve([response.statusCode ?? 0, body]), reject);
    });
    sent.on('error', reject).end();
  });
}

async function storageSaid(state: 'up' | 'down'): Promise<void> {
  const said = async () => ((await scene.app.api.get('/health/ready')).body as { storage: string }).storage;
  await until(async () => (await said()) === state, `the storage to be ${state}`);
}

describe('Pictures in a bucket', () => {
  it('are stored there once, and not on disk', async () => {
    const puts = s3.requests.filter((line) => line.startsWith('PUT'));
    expect(puts).toEqual([`PUT ${keyOf('general', picture.filename)}`]);
    expect(await scene.filesOf('general')).toEqual([]);
  });

  it('are served as from disk, without a token', async () => {
    const response = await get(picture.url);
    expect(response.status).toBe(200);
    expect((await response.arrayBuffer()).byteLength).toBe(picture.size);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(picture.size),
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'",
      etag: `"${picture.filename}"`,
    });
    const head = await get(picture.url, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(picture.size)]);
  });

  it('are not sent again to a client that has them', async () => {
    expect(await statusOf(picture.url, { 'if-none-match': `"${picture.filename}"` })).toEqual([304, '']);
    expect((await statusOf(picture.url, { 'if-none-match': '"another"' }))[0]).toBe(200);
  });

  it('are sent in part, unless the range is of another picture or beyond the end', async () => {
    const part = await get(picture.url, { headers: { range: 'bytes=0-9' } });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 0-9/${picture.size}`]);
    expect((await part.arrayBuffer()).byteLength).toBe(10);
    const other = await get(picture.url, { headers: { range: 'bytes=0-9', 'if-range': '"another"' } });
    expect([other.status, (await other.arrayBuffer()).byteLength]).toEqual([200, picture.size]);
    const beyond = await get(picture.url, { headers: { range: 'bytes=999999-' } });
    expect([beyond.status, beyond.headers.get('cache-control')]).toEqual([416, 'no-store']);
  });

  it('are removed from the bucket, at once or when replaced', async () => {
    const { url, filename } = (await scene.upload('general')).body;
    const { token } = scene.user;
    expect((await scene.app.api.delete(`/api/v1${url}`, { token })).status).toBe(204);
    expect(s3.requests).toContain(`DELETE ${keyOf('general', filename)}`);
    const gone = await get(url);
    expect([gone.status, gone.headers.get('cache-control')]).toEqual([404, 'no-store']);
    const first = (await scene.upload('avatar')).body;
    await scene.upload('avatar');
    expect((await get(first.url)).status).toBe(404);
  });

  it('are served from disk while they are there, and deleted from both', async () => {
    const folder = join(scene.app.nest.get(Settings).dataDir, 'uploads', 'product');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'old.png'), scene.png);
    const before = s3.requests.length;
    expect((await get('/uploads/product/old.png')).status).toBe(200);
    expect(s3.requests).toHaveLength(before);
    await scene.app.nest.get(UploadsService).saveGenerated('product', 'old.png', await makePicture('png'));
    await scene.app.nest.get(UploadsService).removeAll();
    expect((await get('/uploads/product/old.png')).status).toBe(404);
  });
});

describe('A bucket that fails', () => {
  it.each<[how: string, begin: () => unknown, end: () => unknown]>([
    ['responds with 503', () => (s3.mood = 'unavailable'), () => (s3.mood = 'well')],
    ['takes no connections', () => s3.leave(), () => s3.comeBack()],
  ])('and %s leads to 503, and harms nothing else', async (_how, begin, end) => {
    const { url } = (await scene.upload('general')).body;
    await storageSaid('up');
    await begin();
    for (const { status, body, headers } of [await scene.upload('general'), await scene.app.api.get(url)]) {
      expect([status, Reflect.get(body as object, 'code')]).toEqual([503, 'storage_unavailable']);
      expect(headers.get('retry-after')).toBe('10');
      expect(headers.get('cache-control') ?? '').not.toContain('max-age');
    }
    await storageSaid('down');
    expect((await scene.app.api.get('/health/ready')).status).toBe(200);
    expect((await scene.app.api.get('/api/v1/products/')).status).toBe(200);
    await end();
    await storageSaid('up');
    expect((await scene.upload('general')).status).toBe(200);
    expect((await get(url)).status).toBe(200);
  });

  it('does not keep a node from starting', async () => {
    await s3.leave();
    const { api } = await scene.app.anotherNode();
    expect((await api.get('/health/ready')).body).toEqual({ status: 'ready', storage: 'down' });
    const uploads = scene.app.nest.get(UploadsService);
    await storageSaid('down');
    expect(await uploads.saveGenerated('product', 'demo-a.png', scene.png)).toBe('/uploads/product/demo-a.png');
    await s3.comeBack();
  });
});
