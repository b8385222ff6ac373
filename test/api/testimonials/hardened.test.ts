import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Testimonial } from '../../../src/store/testimonials/testimonials.dto.js';
import { type InsertedUser, insertAdmin, insertUser } from '../../support/accounts.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const path = '/api/v1/testimonials/';

let app: TestApp;
let owner: InsertedUser;
let stranger: InsertedUser;
let admin: InsertedUser;
let id: number;
beforeAll(async () => {
  app = await startTestApp({ env: { ACCESS_POLICY: 'hardened' } });
  [owner, stranger, admin] = [await insertUser(app), await insertUser(app), await insertAdmin(app)];
});
afterAll(() => app.close());
beforeEach(async () => {
  id = (await app.api.post<Testimonial>(path, { token: owner.token, json: { content: 'mine' } })).body.id;
});

describe('Under the hardened policy, PUT and DELETE /api/v1/testimonials/{testimonial_id}', () => {
  it('respond with 401 without a token', async () => {
    expect((await app.api.put(path + id, { json: { rating: 1 } })).status).toBe(401);
    expect((await app.api.delete(path + id)).status).toBe(401);
  });

  it('respond with 403 to a stranger, and change nothing', async () => {
    const { token } = stranger;
    expect((await app.api.put(path + id, { token, json: { rating: 1 } })).status).toBe(403);
    expect((await app.api.delete(path + id, { token })).status).toBe(403);
    expect((await app.api.get(path + id)).body).toMatchObject({ rating: 5 });
  });

  it('serve the owner', async () => {
    const { token } = owner;
    const json = { rating: 1, content: 'still mine' };
    expect(await app.api.put(path + id, { token, json })).toMatchObject({ status: 200, body: json });
    expect((await app.api.delete(path + id, { token })).status).toBe(204);
  });

  it('serve an admin', async () => {
    const { token } = admin;
    expect((await app.api.put(path + id, { token, json: { rating: 1 } })).status).toBe(200);
    expect((await app.api.delete(path + id, { token })).status).toBe(204);
  });

  it('let only an admin feature a testimonial, and its owner undo it', async () => {
    const change = async ({ token }: InsertedUser, json: object) =>
      (await app.api.put<Testimonial>(path + id, { token, json })).body.is_featured;
    const stored = () => app.database.rows('SELECT is_featured FROM testimonials WHERE id = $1', [id]);
    expect(await change(owner, { is_featured: true })).toBe(false);
    expect(await change(owner, { rating: 2, is_featured: true })).toBe(false);
    expect(await stored()).toEqual([{ is_featured: false }]);
    expect(await change(admin, { is_featured: true })).toBe(true);
    // A client that sends the whole testimonial back leaves it featured.
    expect(await change(owner, { content: 'mine, told better', is_featured: true })).toBe(true);
    expect(await change(owner, { is_featured: false })).toBe(false);
    expect(await stored()).toEqual([{ is_featured: false }]);
  });

  it("keep a guest's testimonial for admins", async () => {
    const sql = `INSERT INTO testimonials (guest_name, content, rating) VALUES ('Grace', 'x', 5) RETURNING id`;
    const [guest] = await app.database.rows<{ id: number }>(sql);
    expect((await app.api.delete(`${path}${guest?.id}`, { token: stranger.token })).status).toBe(403);
    expect((await app.api.delete(`${path}${guest?.id}`, { token: admin.token })).status).toBe(204);
  });

  it('respond with 404 for an unknown testimonial', async () => {
    expect((await app.api.put(`${path}999999`, { token: owner.token, json: {} })).status).toBe(404);
  });
});

describe('Under the hardened policy, POST /api/v1/testimonials/', () => {
  it.each([
    ['a user', false],
    ['an admin', true],
  ])('stores the is_featured of %s as %s', async (who, is_featured) => {
    const { token } = who === 'an admin' ? admin : owner;
    const json = { content: 'feature me', is_featured: true };
    const { status, body } = await app.api.post<Testimonial>(path, { token, json });
    expect([status, body.is_featured]).toEqual([201, is_featured]);
    expect((await app.api.get(path + body.id)).body).toMatchObject({ is_featured });
  });
});
