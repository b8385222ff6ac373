import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { UploadScene } from './upload-scene.js';

let scene: UploadScene;
beforeAll(async () => {
  scene = await UploadScene.start();
});
afterAll(() => scene.app.close());
beforeEach(() => scene.renewUser());

/** The address of the user's avatar. */
async function shownAvatar(): Promise<string | null | undefined> {
  const sql = 'SELECT avatar_url FROM users WHERE id = $1';
  return (await scene.app.database.rows<{ avatar_url: string | null }>(sql, [scene.user.id]))[0]?.avatar_url;
}

describe('POST /api/v1/uploads/avatar', () => {
  it("makes the picture the caller's avatar", async () => {
    const { status, body } = await scene.upload('avatar');
    expect(status).toBe(200);
    expect(body.url).toBe(`/uploads/avatar/${body.filename}`);
    expect(await shownAvatar()).toBe(body.url);
  });

  it('removes the replaced avatar, and no picture of anyone else', async () => {
    const other = await scene.upload('avatar', scene.png, scene.admin);
    const general = await scene.upload('general');
    const first = await scene.upload('avatar');
    const second = await scene.upload('avatar');
    expect(await shownAvatar()).toBe(second.body.url);
    const files = await scene.filesOf('avatar');
    expect(files).toEqual(expect.arrayContaining([second.body.filename, other.body.filename]));
    expect(files).not.toContain(first.body.filename);
    expect(await scene.filesOf('general')).toContain(general.body.filename);
  });

  it('leaves one avatar of ten concurrent ones, and shows that one', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => scene.upload('avatar')));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const rows = await scene.app.database.rows<{ filename: string }>(
      'SELECT filename FROM uploads WHERE user_id = $1',
      [scene.user.id],
    );
    expect(rows).toHaveLength(1);
    expect(await shownAvatar()).toBe(`/uploads/avatar/${rows[0]?.filename}`);
    const mine = new Set(answers.map(({ body }) => body.filename));
    expect((await scene.filesOf('avatar')).filter((name) => mine.has(name))).toEqual([rows[0]?.filename]);
  });

  it('keeps the existing avatar when the new one is refused', async () => {
    const { body } = await scene.upload('avatar');
    expect((await scene.upload('avatar', Buffer.from('no picture'))).status).toBe(415);
    expect(await shownAvatar()).toBe(body.url);
    expect(await scene.filesOf('avatar')).toContain(body.filename);
  });
});
