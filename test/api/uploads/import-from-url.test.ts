import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import type { ImageImportResponse } from '../../../src/store/uploads/uploads.dto.js';
import { type InsertedUser, insertUser } from '../../support/accounts.js';
import { makeBomb, makePicture } from '../../support/pictures.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { Remote } from './remote.js';

let app: TestApp;
let user: InsertedUser;
let remote: Remote;
let png: Buffer;
beforeAll(async () => {
  app = await startTestApp({ env: { EGRESS_ALLOW: '127.0.0.1' } });
  [user, remote, png] = [await insertUser(app), await Remote.start(), await makePicture('png', 300, 200)];
});
afterAll(async () => {
  await remote.server.stop();
  await app.close();
});

function importFrom(url: unknown) {
  return app.api.post<ImageImportResponse>('/api/v1/uploads/import-from-url', { token: user.token, json: { url } });
}

describe('POST /api/v1/uploads/import-from-url', () => {
  it('stores a picture, and returns its address here with a thumbnail', async () => {
    const { status, body } = await importFrom(remote.at('/lamp.png', { type: 'image/png', body: png }));
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status_code: 200,
      content_type: 'image/png',
      content_length: png.length,
      is_valid_image: true,
    });
    expect(body.url).toMatch(/^\/uploads\/general\/[0-9a-f-]{36}\.png$/);
    expect((await fetch(app.baseUrl + body.url)).status).toBe(200);
    const thumbnail = Buffer.from(body.preview?.replace('data:image/webp;base64,', '') ?? '', 'base64');
    expect(await sharp(thumbnail).metadata()).toMatchObject({ format: 'webp', width: 128, height: 85 });
    const filename = body.url.split('/').at(-1);
    const rows = await app.database.rows('SELECT kind, user_id FROM uploads WHERE filename = $1', [filename]);
    expect(rows).toEqual([{ kind: 'general', user_id: user.id }]);
  });

  it('recognizes a picture by its bytes, whatever its name and type', async () => {
    const { body } = await importFrom(remote.at('/mislabelled', { type: 'text/plain', body: png }));
    expect(body).toMatchObject({ is_valid_image: true, content_type: 'text/plain' });
    const unlabelled = await importFrom(remote.at('/unlabelled', { body: png }));
    expect(unlabelled.body).toMatchObject({ is_valid_image: true, content_type: null });
  });

  it('follows redirects', async () => {
    remote.at('/real.png', { type: 'image/png', body: png });
    const url = remote.at('/moved', { status: 302, headers: { location: '/real.png' } });
    expect((await importFrom(url)).body).toMatchObject({ status_code: 200, is_valid_image: true });
  });

  it.each([
    ['a page', { type: 'text/html', body: '<h1>Hi</h1>' }],
    ['a page that calls itself a picture', { type: 'image/png', body: '<script>alert(1)</script>' }],
    ['an SVG', { type: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg"/>' }],
    ['nothing', { type: 'image/png', body: '' }],
    ['a bomb', { type: 'image/png', body: makeBomb(20_000, 20_000) }],
  ])('reports %s as no valid image, with the given address, and keeps nothing', async (_name, answer) => {
    const before = await app.database.rows('SELECT FROM uploads');
    const url = remote.at('/other', answer);
    const { status, body } = await importFrom(url);
    expect(status).toBe(200);
    expect(body).toEqual({
      url,
      status_code: 200,
      content_type: answer.type,
      content_length: answer.body.length,
      is_valid_image: false,
      preview: null,
    });
    expect(await app.database.rows('SELECT FROM uploads')).toHaveLength(before.length);
  });

  it('reports a truncated picture as no valid image', async () => {
    const { body } = await importFrom(remote.at('/cut.png', { type: 'image/png', body: png.subarray(0, 5_000) }));
    expect(body).toMatchObject({ status_code: 200, is_valid_image: false });
  });

  it('reports the status of a refusal by the other server, even with a picture', async () => {
    const { status, body } = await importFrom(remote.at('/gone.png', { status: 404, type: 'image/png', body: png }));
    expect(status).toBe(200);
    expect(body).toMatchObject({ status_code: 404, is_valid_image: false, preview: null, content_length: png.length });
  });

  it('responds with 502 when the picture is larger than 5 MiB', async () => {
    const url = remote.at('/large.png', { type: 'image/png', body: Buffer.alloc(5 * 1024 * 1024 + 1) });
    expect(await importFrom(url)).toMatchObject({ status: 502, body: { code: 'upstream_too_large' } });
  });

  it('responds with 502 when nobody listens at the address', async () => {
    const gone = await Remote.start();
    const url = gone.at('/x.png', {});
    await gone.server.stop();
    expect(await importFrom(url)).toMatchObject({ status: 502, body: { code: 'upstream_connect' } });
  });

  it.each([
    [undefined, 'missing'],
    [null, 'string_type'],
    [5, 'string_type'],
    ['', 'string_too_short'],
    ['lamp.png', 'value_error'],
    ['file:///etc/passwd', 'value_error'],
    ['ftp://127.0.0.1/x.png', 'value_error'],
    [`https://example.com/${'x'.repeat(2_048)}`, 'string_too_long'],
  ])('responds with 422 when url is %j', async (url, type) => {
    const { status, body } = await importFrom(url);
    expect(status).toBe(422);
    expect(body).toMatchObject({ detail: [{ loc: ['body', 'url'], type }] });
  });

  it('does not echo a password in an address', async () => {
    const { status, body } = await importFrom('http://maria:hunter22@127.0.0.1/');
    expect(status).toBe(422);
    expect(JSON.stringify(body)).not.toContain('hunter22');
  });

  it('responds with 401 without a token', async () => {
    const json = { url: remote.at('/lamp.png', { body: png }) };
    expect((await app.api.post('/api/v1/uploads/import-from-url', { json })).status).toBe(401);
  });
});
