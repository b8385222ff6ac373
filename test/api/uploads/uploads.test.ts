import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Settings } from '../../../src/config/settings.js';
import type { UploadedPicture } from '../../../src/store/uploads/uploads.shapes.js';
import { type InsertedUser, insertAdmin, insertUser } from '../../support/accounts.js';
import {
  type FormFile,
  formWith,
  makeAnimation,
  makeBomb,
  makePicture,
  pictureFormats,
} from '../../support/pictures.js';
import { HeldTransaction } from '../../support/held-transaction.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let shop: TestApp;
let user: InsertedUser;
let admin: InsertedUser;
let png: Buffer;
beforeAll(async () => {
  shop = await startTestApp();
  [admin, png] = [await insertAdmin(shop), await makePicture('png')];
});
afterAll(() => shop.close());
beforeEach(async () => {
  user = await insertUser(shop);
});

type Kind = 'product' | 'avatar' | 'general';

function upload(kind: Kind, bytes: Uint8Array, by = user, file: FormFile = {}) {
  const raw = formWith(bytes, file);
  return shop.api.post<UploadedPicture>(`/api/v1/uploads/${kind}`, { token: by.token, raw });
}

/** Sends a body that a form could not make. */
function send(body: string | Buffer, contentType: string) {
  const headers = { 'content-type': contentType };
  const raw = typeof body === 'string' ? body : Uint8Array.from(body);
  return shop.api.post('/api/v1/uploads/general', { token: user.token, raw, headers });
}

async function filesOf(kind: Kind): Promise<string[]> {
  const names = await readdir(join(shop.app.get(Settings).dataDir, 'uploads', kind)).catch(() => []);
  return names.sort((one, other) => one.localeCompare(other));
}

async function avatarOf(account: InsertedUser): Promise<string | null | undefined> {
  const sql = 'SELECT avatar_url FROM users WHERE id = $1';
  return (await shop.database.rows<{ avatar_url: string | null }>(sql, [account.id]))[0]?.avatar_url;
}

describe('POST /api/v1/uploads/general', () => {
  it.each(pictureFormats)('keeps a %s and answers where it is', async (format) => {
    const { status, body } = await upload('general', await makePicture(format));
    const extension = format === 'jpeg' ? 'jpg' : format;
    expect(status).toBe(200);
    expect(body).toMatchObject({ content_type: `image/${format}`, width: 60, height: 40 });
    expect(body.filename).toMatch(new RegExp(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\\.${extension}$`));
    expect(body.url).toBe(`/uploads/general/${body.filename}`);
    expect(await filesOf('general')).toContain(body.filename);
    const rows = await shop.database.rows('SELECT kind, user_id, size FROM uploads WHERE filename = $1', [
      body.filename,
    ]);
    expect(rows).toEqual([{ kind: 'general', user_id: user.id, size: body.size }]);
  });

  it.each([
    ['photo.exe', 'application/x-msdownload'],
    ['../../../etc/passwd', 'image/png'],
    ['x.svg', 'image/svg+xml'],
    ['\u202Egnp.exe', ''],
  ])('looks neither at the name %j nor at the type %j', async (name, type) => {
    const { status, body } = await upload('general', png, user, { name, type });
    expect(status).toBe(200);
    expect(body.content_type).toBe('image/png');
  });

  it('keeps an animation', async () => {
    const { body } = await upload('general', await makeAnimation('gif'));
    expect(body).toMatchObject({ content_type: 'image/gif', width: 20, height: 10 });
  });

  it.each([
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['a text', Buffer.from('hello')],
    ['an empty file', Buffer.alloc(0)],
  ])('answers 415 to %s that calls itself a PNG, and keeps nothing', async (_name, bytes) => {
    const before = await filesOf('general');
    const { status, body } = await upload('general', bytes);
    expect(status).toBe(415);
    expect(body).toMatchObject({ code: 'unsupported_picture' });
    expect(await filesOf('general')).toEqual(before);
  });

  it('answers 422 to a picture that is cut off', async () => {
    const { status, body } = await upload('general', png.subarray(0, png.length / 2));
    expect(status).toBe(422);
    expect(body).toMatchObject({ detail: [{ loc: ['body', 'file'], type: 'value_error' }] });
  });

  it('answers 413 to a small file that decodes to more than 50 megapixels', async () => {
    const { status, body } = await upload('general', makeBomb(20_000, 20_000));
    expect(status).toBe(413);
    expect(body).toMatchObject({ code: 'picture_too_large' });
  });

  it('takes 5 MiB, and answers 413 to a byte more', async () => {
    const limit = 5 * 1024 * 1024;
    const padded = Buffer.concat([png, Buffer.alloc(limit - png.length)]);
    expect((await upload('general', padded)).status).toBe(200);
    const answer = await upload('general', Buffer.concat([padded, Buffer.alloc(1)]));
    expect(answer).toMatchObject({ status: 413, body: { code: 'file_too_large' } });
  });

  it('answers 413 to a far larger file', async () => {
    const { status } = await upload('general', Buffer.alloc(20 * 1024 * 1024));
    expect(status).toBe(413);
  });

  it('answers 422 when the file is missing', async () => {
    const form = new FormData();
    form.append('other', 'text');
    const answer = await shop.api.post('/api/v1/uploads/general', { token: user.token, raw: form });
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'file'], type: 'missing' }] } });
  });

  it('answers 422 when the file is a text field', async () => {
    const form = new FormData();
    form.append('file', 'text');
    const answer = await shop.api.post('/api/v1/uploads/general', { token: user.token, raw: form });
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'file'], type: 'missing' }] } });
  });

  it('answers 422 without a body', async () => {
    const answer = await shop.api.post('/api/v1/uploads/general', { token: user.token });
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'file'], type: 'missing' }] } });
  });

  it('answers 422 to a file in another field', async () => {
    const { status, body } = await upload('general', png, user, { field: 'picture' });
    expect(status).toBe(422);
    expect(body).toMatchObject({ detail: [{ loc: ['body', 'picture'], type: 'extra_forbidden' }] });
  });

  it('answers 422 to two files', async () => {
    const form = formWith(png);
    form.append('file', new Blob([Uint8Array.from(png)]), 'two.png');
    const answer = await shop.api.post('/api/v1/uploads/general', { token: user.token, raw: form });
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'file'] }] } });
  });

  it('ignores other fields', async () => {
    const form = formWith(png);
    form.append('caption', 'at home');
    form.append('__proto__[x]', 'y');
    const answer = await shop.api.post('/api/v1/uploads/general', { token: user.token, raw: form });
    expect(answer.status).toBe(200);
  });

  it('answers 415 to JSON of unknown length', async () => {
    const raw = new Blob(['{"file": "x"}']).stream();
    const headers = { authorization: `Bearer ${user.token}`, 'content-type': 'application/json' };
    const request = { method: 'POST', headers, body: raw, duplex: 'half' } as const;
    expect((await fetch(`${shop.baseUrl}/api/v1/uploads/general`, request)).status).toBe(415);
  });

  it.each([
    ['JSON', '{"file": "x"}', 'application/json'],
    ['the bare picture', 'x', 'image/png'],
    ['a form in a URL', 'file=x', 'application/x-www-form-urlencoded'],
    ['another multipart type', '--x\r\n\r\n--x--', 'multipart/mixed; boundary=x'],
  ])('answers 415 to %s', async (_name, body, contentType) => {
    expect((await send(body, contentType)).status).toBe(415);
  });

  it.each([
    ['without a boundary', 'x', 'multipart/form-data'],
    [
      'that is cut off',
      '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc',
      'multipart/form-data; boundary=x',
    ],
    ['with a broken part', '--x\r\nnonsense\r\n\r\nabc\r\n--x--', 'multipart/form-data; boundary=x'],
    ['of nothing', '', 'multipart/form-data; boundary=x'],
  ])('answers 422 to a form %s', async (_name, body, contentType) => {
    const { status, body: answer } = await send(body, contentType);
    expect(status).toBe(422);
    expect(answer).toHaveProperty('detail');
  });

  it('answers 401 without a token, whatever is sent', async () => {
    const answer = await shop.api.post('/api/v1/uploads/general', { raw: formWith(png) });
    expect(answer.status).toBe(401);
  });

  it('leaves neither row nor file when the transaction fails', async () => {
    await shop.database.rows(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$;
       CREATE TRIGGER refuse BEFORE INSERT ON uploads FOR EACH ROW EXECUTE FUNCTION refuse()`,
    );
    const before = await filesOf('general');
    const headers = { authorization: `Bearer ${user.token}` };
    const { status } = await fetch(`${shop.baseUrl}/api/v1/uploads/general`, {
      method: 'POST',
      headers,
      body: formWith(png),
    });
    await shop.database.rows('DROP TRIGGER refuse ON uploads; DROP FUNCTION refuse');
    expect(status).toBe(500);
    expect(await filesOf('general')).toEqual(before);
  });

  it('keeps nothing for an account that is deleted meanwhile', async () => {
    const before = await filesOf('general');
    const deletion = await HeldTransaction.open(shop.database, 'SELECT FROM users WHERE id = $1 FOR UPDATE', [user.id]);
    const answer = upload('general', png);
    await deletion.blocks(1);
    await deletion.query('UPDATE users SET deleted_at = now() WHERE id = $1', [user.id]);
    await deletion.commit();
    expect((await answer).status).toBe(401);
    expect(await filesOf('general')).toEqual(before);
    expect(await shop.database.rows('SELECT FROM uploads WHERE user_id = $1', [user.id])).toEqual([]);
  });

  it('keeps twenty at once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => upload('general', png)));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(new Set(answers.map(({ body }) => body.filename)).size).toBe(20);
  });
});

describe('POST /api/v1/uploads/product', () => {
  it('takes a picture from an admin', async () => {
    const { status, body } = await upload('product', png, admin);
    expect(status).toBe(200);
    expect(body.url).toBe(`/uploads/product/${body.filename}`);
  });

  it('answers 403 to a user and 401 to nobody', async () => {
    expect((await upload('product', png)).status).toBe(403);
    expect((await shop.api.post('/api/v1/uploads/product', { raw: formWith(png) })).status).toBe(401);
  });
});

describe('POST /api/v1/uploads/avatar', () => {
  it("makes the picture the caller's avatar", async () => {
    const { status, body } = await upload('avatar', png);
    expect(status).toBe(200);
    expect(body.url).toBe(`/uploads/avatar/${body.filename}`);
    expect(await avatarOf(user)).toBe(body.url);
  });

  it('removes the avatar that it replaces, and no picture of anyone else', async () => {
    const other = await upload('avatar', png, admin);
    const general = await upload('general', png);
    const first = await upload('avatar', png);
    const second = await upload('avatar', png);
    expect(await avatarOf(user)).toBe(second.body.url);
    const files = await filesOf('avatar');
    expect(files).toEqual(expect.arrayContaining([second.body.filename, other.body.filename]));
    expect(files).not.toContain(first.body.filename);
    expect(await filesOf('general')).toContain(general.body.filename);
  });

  it('leaves one avatar of ten at once, and it is the one that is shown', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => upload('avatar', png)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const rows = await shop.database.rows<{ filename: string }>('SELECT filename FROM uploads WHERE user_id = $1', [
      user.id,
    ]);
    expect(rows).toHaveLength(1);
    expect(await avatarOf(user)).toBe(`/uploads/avatar/${rows[0]?.filename}`);
    const mine = new Set(answers.map(({ body }) => body.filename));
    expect((await filesOf('avatar')).filter((name) => mine.has(name))).toEqual([rows[0]?.filename]);
  });

  it('keeps the avatar that there is when the new one is refused', async () => {
    const { body } = await upload('avatar', png);
    expect((await upload('avatar', Buffer.from('no picture'))).status).toBe(415);
    expect(await avatarOf(user)).toBe(body.url);
    expect(await filesOf('avatar')).toContain(body.filename);
  });
});

describe('Beneath PUBLIC_URL', () => {
  it('answers whole addresses', async () => {
    const elsewhere = await startTestApp({ env: { PUBLIC_URL: 'https://shop.example.com/' } });
    try {
      const { token, id } = await insertUser(elsewhere);
      const { body } = await elsewhere.api.post<UploadedPicture>('/api/v1/uploads/avatar', {
        token,
        raw: formWith(png),
      });
      expect(body.url).toBe(`https://shop.example.com/uploads/avatar/${body.filename}`);
      const [row] = await elsewhere.database.rows('SELECT avatar_url FROM users WHERE id = $1', [id]);
      expect(row).toEqual({ avatar_url: body.url });
    } finally {
      await elsewhere.close();
    }
  });
});
