import { symlink, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { Settings } from '../../../src/config/settings.js';
import { UploadsService } from '../../../src/store/uploads/uploads.service.js';
import type { UploadedPicture } from '../../../src/store/uploads/uploads.dto.js';
import { type InsertedUser, insertUser } from '../../support/accounts.js';
import { formWith, makePicture } from '../../support/pictures.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let user: InsertedUser;
let picture: UploadedPicture;
beforeAll(async () => {
  app = await startTestApp();
  user = await insertUser(app);
  picture = await upload('general');
  await writeFile(join(app.nest.get(Settings).dataDir, 'secret.png'), 'secret');
});
afterAll(() => app.close());

async function upload(kind: string): Promise<UploadedPicture> {
  const raw = formWith(await makePicture('jpeg'));
  return (await app.api.post<UploadedPicture>(`/api/v1/uploads/${kind}`, { token: user.token, raw })).body;
}

function get(url: string, init: RequestInit = {}): Promise<Response> {
  return fetch(app.baseUrl + url, init);
}

/** Sends a path and headers as they are; `fetch` would normalize the path and add headers. */
function getRaw(path: string, headers: Record<string, string> = {}): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(app.baseUrl, { path, headers }, (response) => {
      text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject);
    });
    sent.on('error', reject).end();
  });
}

describe('GET /uploads/{kind}/{filename}', () => {
  it('returns the picture without a token', async () => {
    const response = await get(picture.url);
    expect(response.status).toBe(200);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes).toHaveLength(picture.size);
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width: 60, height: 40 });
  });

  it('sends its type, caches it for ever, and forbids it to run anything', async () => {
    const { headers } = await get(picture.url);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'",
      etag: `"${picture.filename}"`,
    });
  });

  it('responds with 304 to a client that has it', async () => {
    const answer = await getRaw(picture.url, { 'if-none-match': `"${picture.filename}"` });
    expect(answer).toEqual({ status: 304, body: '' });
    expect((await getRaw(picture.url, { 'if-none-match': '"another"' })).status).toBe(200);
  });

  it('returns a requested part, and 416 beyond the end', async () => {
    const part = await get(picture.url, { headers: { range: 'bytes=0-9' } });
    expect(part.status).toBe(206);
    expect((await part.arrayBuffer()).byteLength).toBe(10);
    const beyond = await get(picture.url, { headers: { range: 'bytes=999999-' } });
    expect(beyond.status).toBe(416);
    expect(beyond.headers.get('content-type')).toMatch(/^application\/json/);
    expect(beyond.headers.get('cache-control')).toBe('no-store');
  });

  it('responds to HEAD without the picture', async () => {
    const response = await get(picture.url, { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-length')).toBe(String(picture.size));
  });

  it('responds the same on another node', async () => {
    const { api } = await app.anotherNode();
    expect((await fetch(api.baseUrl + picture.url)).status).toBe(200);
  });

  it('serves pictures that the service made itself', async () => {
    const uploads = app.nest.get(UploadsService);
    const bytes = await makePicture('webp');
    expect(await uploads.saveGenerated('product', 'demo-lamp.webp', bytes)).toBe('/uploads/product/demo-lamp.webp');
    await uploads.saveGenerated('product', 'demo-lamp.webp', bytes);
    const response = await get('/uploads/product/demo-lamp.webp');
    expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes);
  });

  it.each([
    '/uploads/general/00000000-0000-4000-8000-000000000000.jpg',
    '/uploads/secret/x.png',
    '/uploads/general/x.svg',
    '/uploads/general/',
    '/uploads/general',
    '/uploads/',
    '/uploads',
    '/uploads/../secret.png',
    '/uploads/general/../../secret.png',
    '/uploads/general/..%2f..%2fsecret.png',
    '/uploads/general/%2e%2e%2f%2e%2e%2fsecret.png',
    '/uploads/%2e%2e/secret.png',
    '/uploads/..%2f/secret.png',
    '/uploads/general/..%5c..%5csecret.png',
    '/uploads/general/%252e%252e%252fsecret.png',
    '/uploads/general/.hidden.png',
    '/uploads//general/x.png',
  ])('responds with 404 in the usual format to %s', async (path) => {
    const { status, body } = await getRaw(path);
    expect(status).toBe(404);
    expect(JSON.parse(body)).toEqual({ detail: expect.any(String), code: 'not_found' });
  });

  it.each(['/uploads/general/x.png%00', '/uploads/general/x%00.png', '/uploads/general/%ff.png'])(
    'responds with 422 to %s',
    async (path) => {
      const { status, body } = await getRaw(path);
      expect(status).toBe(422);
      expect(JSON.parse(body)).toHaveProperty('detail');
    },
  );

  it('responds with 503 when the file cannot be read', async () => {
    const loop = join(app.nest.get(Settings).dataDir, 'uploads', 'general', 'loop.png');
    await symlink(loop, loop);
    const { status, body } = await getRaw('/uploads/general/loop.png');
    expect([status, JSON.parse(body)]).toMatchObject([503, { code: 'storage_unavailable' }]);
  });

  it('does not let a 404 be cached', async () => {
    const { headers } = await get('/uploads/general/none.png');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-type')).toMatch(/^application\/json/);
  });
});

describe('UploadsService.removeAllOf', () => {
  it('removes avatars and general pictures of one user, rows and files', async () => {
    const mine = [await upload('general'), await upload('avatar')];
    const other = await insertUser(app);
    const raw = formWith(await makePicture('png'));
    const kept = await app.api.post<UploadedPicture>('/api/v1/uploads/general', { token: other.token, raw });
    await app.nest.get(UploadsService).removeAllOf(user.id);
    for (const { url } of mine) expect((await get(url)).status).toBe(404);
    expect((await get(kept.body.url)).status).toBe(200);
    expect(await app.database.rows('SELECT FROM uploads WHERE user_id = $1', [user.id])).toEqual([]);
  });
});
