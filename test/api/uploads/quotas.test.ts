import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { Settings } from '../../../src/config/settings.js';
import type { UploadedPicture } from '../../../src/store/uploads/uploads.shapes.js';
import { type InsertedUser, insertAdmin, insertUser } from '../../support/accounts.js';
import { formWith, makePicture } from '../../support/pictures.js';
import { until } from '../../support/receiver.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { Remote } from './remote.js';

let shop: TestApp;
let remote: Remote;
let user: InsertedUser;
let png: Buffer;
beforeAll(async () => {
  const env = { UPLOADS_PER_USER: '3', UPLOAD_MB_PER_USER: '5', EGRESS_ALLOW: '127.0.0.1' };
  shop = await startTestApp({ env });
  [remote, png] = [await Remote.start(), await makePicture('png')];
});
afterAll(async () => {
  await remote.server.stop();
  await shop.close();
});
beforeEach(async () => {
  user = await insertUser(shop);
});

function upload(kind: 'product' | 'avatar' | 'general', by = user, bytes = png) {
  return shop.api.post<UploadedPicture>(`/api/v1/uploads/${kind}`, { token: by.token, raw: formWith(bytes) });
}

async function heldBy({ id }: InsertedUser): Promise<number> {
  const rows = await shop.database.rows<{ count: number }>(
    'SELECT count(*)::integer AS count FROM uploads WHERE user_id = $1',
    [id],
  );
  return rows[0]?.count ?? 0;
}

async function files(): Promise<number> {
  return (await readdir(join(shop.app.get(Settings).dataDir, 'uploads', 'general')).catch(() => [])).length;
}

describe('The quota of uploads', () => {
  it('refuses one file too many, tells the limit and its setting, and keeps nothing', async () => {
    for (let count = 0; count < 3; count++) expect((await upload('general')).status).toBe(200);
    const before = await files();
    const { status, body, headers } = await upload('general');
    expect(status).toBe(403);
    expect(body).toMatchObject({ code: 'quota_exceeded' });
    expect(body).toHaveProperty('detail', expect.stringMatching(/limit of 3 .*UPLOADS_PER_USER/));
    expect(headers.get('ratelimit')).toContain('"uploads"');
    expect(await files()).toBe(before);
    expect(await heldBy(user)).toBe(3);
  });

  it('counts imports, and no picture of another user or of a product', async () => {
    const admin = await insertAdmin(shop);
    for (let count = 0; count < 4; count++) expect((await upload('product', admin)).status).toBe(200);
    const json = { url: remote.at('/lamp.png', { type: 'image/png', body: png }) };
    const imported = () => shop.api.post('/api/v1/uploads/import-from-url', { token: admin.token, json });
    for (let count = 0; count < 3; count++) expect((await imported()).status).toBe(200);
    expect(await imported()).toMatchObject({ status: 403, body: { code: 'quota_exceeded' } });
    expect((await upload('general')).status).toBe(200);
  });

  it('lets one of many pass that come at once at its edge', async () => {
    for (let count = 0; count < 2; count++) await upload('general');
    const before = await files();
    const answers = await Promise.all(Array.from({ length: 6 }, () => upload('general')));
    expect(answers.map(({ status }) => status).sort((one, other) => one - other)).toEqual([
      200, 403, 403, 403, 403, 403,
    ]);
    expect(await heldBy(user)).toBe(3);
    expect(await files()).toBe(before + 1);
  });

  it('replaces an avatar, however full it is', async () => {
    for (let count = 0; count < 2; count++) await upload('general');
    for (let count = 0; count < 3; count++) expect((await upload('avatar')).status).toBe(200);
    expect(await heldBy(user)).toBe(3);
  });

  it('refuses what would take too much together', async () => {
    const sql = 'INSERT INTO uploads (filename, kind, size, user_id) VALUES ($1, $2, $3, $4)';
    await shop.database.rows(sql, [`${crypto.randomUUID()}.png`, 'general', 5 * 1024 * 1024 - 10, user.id]);
    const { status, body, headers } = await upload('general');
    expect(status).toBe(403);
    expect(body).toHaveProperty('detail', expect.stringMatching(/limit of 5 MiB .*UPLOAD_MB_PER_USER/));
    expect(headers.get('ratelimit')).toContain('"upload-megabytes"');
  });
});

describe('DELETE /api/v1/uploads/{kind}/{filename}', () => {
  const remove = ({ url }: UploadedPicture, by = user) =>
    shop.api.send('DELETE', url.replace('/uploads', '/api/v1/uploads'), { token: by.token });

  it('deletes row and file, and makes room', async () => {
    const kept = [await upload('general'), await upload('general'), await upload('general')];
    expect((await upload('general')).status).toBe(403);
    const [first] = kept;
    if (!first) throw new Error('Nothing was uploaded');
    expect((await remove(first.body)).status).toBe(204);
    expect((await fetch(shop.baseUrl + first.body.url)).status).toBe(404);
    expect((await upload('general')).status).toBe(200);
  });

  it('shows no avatar that is gone', async () => {
    const { body } = await upload('avatar');
    expect((await remove(body)).status).toBe(204);
    const profile = await shop.api.get('/api/v1/users/me/profile', { token: user.token });
    expect(profile.body).toMatchObject({ avatar_url: null });
  });

  it('waits for its owner before it locks the picture, as a new avatar does', async () => {
    const { body } = await upload('avatar');
    const holder = new pg.Client({ connectionString: shop.database.url });
    await holder.connect();
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT FROM users WHERE id = $1 FOR UPDATE', [user.id]);
      const removal = remove(body);
      const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      await until(async () => (await shop.database.rows(waiting)).length > 0, 10_000, 'the removal to wait');
      const free = 'SELECT filename FROM uploads WHERE user_id = $1 FOR UPDATE SKIP LOCKED';
      expect((await holder.query(free, [user.id])).rows).toHaveLength(1);
      await holder.query('COMMIT');
      expect((await removal).status).toBe(204);
    } finally {
      await holder.end();
    }
  });

  it('answers 404 to whoever has no such picture, and keeps it', async () => {
    const { body } = await upload('general');
    const other = await insertUser(shop);
    expect((await remove(body, other)).status).toBe(404);
    expect((await remove({ ...body, url: '/uploads/avatar/x.png' })).status).toBe(404);
    expect((await remove({ ...body, url: '/uploads/secret/x.png' })).status).toBe(404);
    expect((await fetch(shop.baseUrl + body.url)).status).toBe(200);
  });

  it('answers 401 without a token', async () => {
    expect((await shop.api.send('DELETE', '/api/v1/uploads/general/x.png', {})).status).toBe(401);
  });
});
