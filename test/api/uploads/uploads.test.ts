import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { HeldTransaction } from '../../support/held-transaction.js';
import { formWith, makeAnimation, makeBomb, makePicture, pictureFormats } from '../../support/pictures.js';
import { UploadScene } from './upload-scene.js';

let scene: UploadScene;
beforeAll(async () => {
  scene = await UploadScene.start();
});
afterAll(() => scene.app.close());
beforeEach(() => scene.renewUser());

describe('POST /api/v1/uploads/general', () => {
  it.each(pictureFormats)('stores a %s and returns its address', async (format) => {
    const { status, body } = await scene.upload('general', await makePicture(format));
    const extension = format === 'jpeg' ? 'jpg' : format;
    expect(status).toBe(200);
    expect(body).toMatchObject({ content_type: `image/${format}`, width: 60, height: 40 });
    expect(body.filename).toMatch(new RegExp(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\\.${extension}$`));
    expect(body.url).toBe(`/uploads/general/${body.filename}`);
    expect(await scene.filesOf('general')).toContain(body.filename);
    const rows = await scene.app.database.rows('SELECT kind, user_id, size FROM uploads WHERE filename = $1', [
      body.filename,
    ]);
    expect(rows).toEqual([{ kind: 'general', user_id: scene.user.id, size: body.size }]);
  });

  it('keeps an animation', async () => {
    const { body } = await scene.upload('general', await makeAnimation('gif'));
    expect(body).toMatchObject({ content_type: 'image/gif', width: 20, height: 10 });
  });

  it.each([
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['a text', Buffer.from('hello')],
    ['an empty file', Buffer.alloc(0)],
  ])('responds with 415 to %s that calls itself a PNG, and keeps nothing', async (_name, bytes) => {
    const before = await scene.filesOf('general');
    const { status, body } = await scene.upload('general', bytes);
    expect(status).toBe(415);
    expect(body).toMatchObject({ code: 'unsupported_picture' });
    expect(await scene.filesOf('general')).toEqual(before);
  });

  it('responds with 422 to a truncated picture', async () => {
    const { status, body } = await scene.upload('general', scene.png.subarray(0, scene.png.length / 2));
    expect(status).toBe(422);
    expect(body).toMatchObject({ detail: [{ loc: ['body', 'file'], type: 'value_error' }] });
  });

  it('responds with 413 to a small file that decodes to more than 50 megapixels', async () => {
    const { status, body } = await scene.upload('general', makeBomb(20_000, 20_000));
    expect(status).toBe(413);
    expect(body).toMatchObject({ code: 'picture_too_large' });
  });

  it('leaves neither row nor file when the transaction fails', async () => {
    await scene.app.database.rows(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$;
       CREATE TRIGGER refuse BEFORE INSERT ON uploads FOR EACH ROW EXECUTE FUNCTION refuse()`,
    );
    const before = await scene.filesOf('general');
    const headers = { authorization: `Bearer ${scene.user.token}` };
    const request = { method: 'POST', headers, body: formWith(scene.png) };
    const { status } = await fetch(`${scene.app.baseUrl}/api/v1/uploads/general`, request);
    await scene.app.database.rows('DROP TRIGGER refuse ON uploads; DROP FUNCTION refuse');
    expect(status).toBe(500);
    expect(await scene.filesOf('general')).toEqual(before);
  });

  it('keeps nothing for an account that is deleted meanwhile', async () => {
    const before = await scene.filesOf('general');
    const lock = 'SELECT FROM users WHERE id = $1 FOR UPDATE';
    const deletion = await HeldTransaction.open(scene.app.database, lock, [scene.user.id]);
    const answer = scene.upload('general');
    await deletion.blocks(1);
    await deletion.query('UPDATE users SET deleted_at = now() WHERE id = $1', [scene.user.id]);
    await deletion.commit();
    expect((await answer).status).toBe(401);
    expect(await scene.filesOf('general')).toEqual(before);
    expect(await scene.app.database.rows('SELECT FROM uploads WHERE user_id = $1', [scene.user.id])).toEqual([]);
  });

  it('keeps twenty concurrent ones', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => scene.upload('general')));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(new Set(answers.map(({ body }) => body.filename)).size).toBe(20);
  });
});

describe('POST /api/v1/uploads/product', () => {
  it('accepts a picture from an admin', async () => {
    const { status, body } = await scene.upload('product', scene.png, scene.admin);
    expect(status).toBe(200);
    expect(body.url).toBe(`/uploads/product/${body.filename}`);
  });

  it('responds with 403 to a user and 401 without a token', async () => {
    expect((await scene.upload('product')).status).toBe(403);
    expect((await scene.app.api.post('/api/v1/uploads/product', { raw: formWith(scene.png) })).status).toBe(401);
  });
});

describe('Beneath PUBLIC_URL', () => {
  it('makes uploads return absolute addresses', async () => {
    const elsewhere = await UploadScene.start({ env: { PUBLIC_URL: 'https://shop.example.com/' } });
    try {
      const { body } = await elsewhere.upload('avatar');
      expect(body.url).toBe(`https://shop.example.com/uploads/avatar/${body.filename}`);
      const sql = 'SELECT avatar_url FROM users WHERE id = $1';
      expect(await elsewhere.app.database.rows(sql, [elsewhere.user.id])).toEqual([{ avatar_url: body.url }]);
    } finally {
      await elsewhere.app.close();
    }
  });
});
