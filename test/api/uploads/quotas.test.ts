import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { UploadedPicture } from '../../../src/store/uploads/uploads.dto.js';
import { type InsertedUser, insertUser } from '../../support/accounts.js';
import { until } from '../../support/receiver.js';
import { Remote } from './remote.js';
import { UploadScene } from './upload-scene.js';

let scene: UploadScene;
let remote: Remote;
beforeAll(async () => {
  const env = { QUOTAS: 'uploads=3,upload-megabytes=5', EGRESS_ALLOW: '127.0.0.1' };
  [scene, remote] = [await UploadScene.start({ env }), await Remote.start()];
});
afterAll(async () => {
  await remote.server.stop();
  await scene.app.close();
});
beforeEach(() => scene.renewUser());

async function heldBy({ id }: InsertedUser): Promise<number> {
  const rows = await scene.app.database.rows<{ count: number }>(
    'SELECT count(*)::integer AS count FROM uploads WHERE user_id = $1',
    [id],
  );
  return rows[0]?.count ?? 0;
}

describe('The quota of uploads', () => {
  it('refuses one file too many, names the limit and its setting, and keeps nothing', async () => {
    for (let count = 0; count < 3; count++) expect((await scene.upload('general')).status).toBe(200);
    const before = await scene.filesOf('general');
    const { status, body, headers } = await scene.upload('general');
    expect(status).toBe(403);
    expect(body).toMatchObject({ code: 'quota_exceeded' });
    expect(body).toHaveProperty('detail', expect.stringMatching(/limit of 3 .*\(QUOTAS, uploads\)/));
    expect(headers.get('ratelimit')).toContain('"uploads"');
    expect(await scene.filesOf('general')).toEqual(before);
    expect(await heldBy(scene.user)).toBe(3);
  });

  it('counts imports, and no picture of another user or of a product', async () => {
    for (let count = 0; count < 4; count++)
      expect((await scene.upload('product', scene.png, scene.admin)).status).toBe(200);
    const json = { url: remote.at('/lamp.png', { type: 'image/png', body: scene.png }) };
    const imported = () => scene.app.api.post('/api/v1/uploads/import-from-url', { token: scene.admin.token, json });
    for (let count = 0; count < 3; count++) expect((await imported()).status).toBe(200);
    expect(await imported()).toMatchObject({ status: 403, body: { code: 'quota_exceeded' } });
    expect((await scene.upload('general')).status).toBe(200);
  });

  it('admits one of many concurrent uploads at its edge', async () => {
    for (let count = 0; count < 2; count++) await scene.upload('general');
    const before = await scene.filesOf('general');
    const answers = await Promise.all(Array.from({ length: 6 }, () => scene.upload('general')));
    expect(answers.map(({ status }) => status).sort((one, other) => one - other)).toEqual([
      200, 403, 403, 403, 403, 403,
    ]);
    expect(await heldBy(scene.user)).toBe(3);
    expect(await scene.filesOf('general')).toHaveLength(before.length + 1);
  });

  it('lets an avatar be replaced even when exhausted', async () => {
    for (let count = 0; count < 2; count++) await scene.upload('general');
    for (let count = 0; count < 3; count++) expect((await scene.upload('avatar')).status).toBe(200);
    expect(await heldBy(scene.user)).toBe(3);
  });

  it('refuses uploads that are too large together', async () => {
    const sql = 'INSERT INTO uploads (filename, kind, size, user_id) VALUES ($1, $2, $3, $4)';
    await scene.app.database.rows(sql, [`${crypto.randomUUID()}.png`, 'general', 5 * 1024 * 1024 - 10, scene.user.id]);
    const { status, body, headers } = await scene.upload('general');
    expect(status).toBe(403);
    expect(body).toHaveProperty('detail', expect.stringMatching(/limit of 5 MiB .*\(QUOTAS, upload-megabytes\)/));
    expect(headers.get('ratelimit')).toContain('"upload-megabytes"');
  });
});

describe('DELETE /api/v1/uploads/{kind}/{filename}', () => {
  const remove = ({ url }: UploadedPicture, by = scene.user) =>
    scene.app.api.send('DELETE', url.replace('/uploads', '/api/v1/uploads'), { token: by.token });

  it('deletes row and file, and frees the quota', async () => {
    const kept = [await scene.upload('general'), await scene.upload('general'), await scene.upload('general')];
    expect((await scene.upload('general')).status).toBe(403);
    const [first] = kept;
    if (!first) throw new Error('Nothing was uploaded');
    expect((await remove(first.body)).status).toBe(204);
    expect((await fetch(scene.app.baseUrl + first.body.url)).status).toBe(404);
    expect((await scene.upload('general')).status).toBe(200);
  });

  it('no longer shows a deleted avatar', async () => {
    const { body } = await scene.upload('avatar');
    expect((await remove(body)).status).toBe(204);
    const profile = await scene.app.api.get('/api/v1/users/me/profile', { token: scene.user.token });
    expect(profile.body).toMatchObject({ avatar_url: null });
  });

  it('locks the owner before the picture, as a new avatar does', async () => {
    const { body } = await scene.upload('avatar');
    const holder = new pg.Client({ connectionString: scene.app.database.url });
    await holder.connect();
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT FROM users WHERE id = $1 FOR UPDATE', [scene.user.id]);
      const removal = remove(body);
      const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      await until(async () => (await scene.app.database.rows(waiting)).length > 0, 'the removal to wait');
      const free = 'SELECT filename FROM uploads WHERE user_id = $1 FOR UPDATE SKIP LOCKED';
      expect((await holder.query(free, [scene.user.id])).rows).toHaveLength(1);
      await holder.query('COMMIT');
      expect((await removal).status).toBe(204);
    } finally {
      await holder.end();
    }
  });

  it("responds with 404 to a user for somebody else's picture, and keeps it", async () => {
    const { body } = await scene.upload('general');
    const other = await insertUser(scene.app);
    expect((await remove(body, other)).status).toBe(404);
    expect((await remove({ ...body, url: '/uploads/avatar/x.png' })).status).toBe(404);
    expect((await remove({ ...body, url: '/uploads/secret/x.png' })).status).toBe(404);
    expect((await fetch(scene.app.baseUrl + body.url)).status).toBe(200);
  });

  it('responds with 401 without a token', async () => {
    expect((await scene.app.api.send('DELETE', '/api/v1/uploads/general/x.png', {})).status).toBe(401);
  });
});
