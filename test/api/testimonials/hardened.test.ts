import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Testimonial } from '../../../src/store/testimonials/testimonials.shapes.js';
import { type InsertedUser, insertAdmin, insertUser } from '../../support/accounts.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const path = '/api/v1/testimonials/';

let shop: TestApp;
let owner: InsertedUser;
let stranger: InsertedUser;
let admin: InsertedUser;
let id: number;
beforeAll(async () => {
  shop = await startTestApp({ env: { ACCESS_POLICY: 'hardened' } });
  [owner, stranger, admin] = [await insertUser(shop), await insertUser(shop), await insertAdmin(shop)];
});
afterAll(() => shop.close());
beforeEach(async () => {
  id = (await shop.api.post<Testimonial>(path, { token: owner.token, json: { content: 'mine' } })).body.id;
});

describe('Under the hardened policy, PUT and DELETE /api/v1/testimonials/{testimonial_id}', () => {
  it('answer 401 without a token', async () => {
    expect((await shop.api.put(path + id, { json: { rating: 1 } })).status).toBe(401);
    expect((await shop.api.delete(path + id)).status).toBe(401);
  });

  it('answer 403 for a stranger, and change nothing', async () => {
    const { token } = stranger;
    expect((await shop.api.put(path + id, { token, json: { rating: 1 } })).status).toBe(403);
    expect((await shop.api.delete(path + id, { token })).status).toBe(403);
    expect((await shop.api.get(path + id)).body).toMatchObject({ rating: 5 });
  });

  it('let the owner', async () => {
    const { token } = owner;
    const json = { rating: 1, is_featured: true };
    expect(await shop.api.put(path + id, { token, json })).toMatchObject({ status: 200, body: json });
    expect((await shop.api.delete(path + id, { token })).status).toBe(204);
  });

  it('let an admin', async () => {
    const { token } = admin;
    expect((await shop.api.put(path + id, { token, json: { rating: 1 } })).status).toBe(200);
    expect((await shop.api.delete(path + id, { token })).status).toBe(204);
  });

  it("keep a guest's testimonial for admins", async () => {
    const sql = `INSERT INTO testimonials (guest_name, content, rating) VALUES ('Grace', 'x', 5) RETURNING id`;
    const [guest] = await shop.database.rows<{ id: number }>(sql);
    expect((await shop.api.delete(`${path}${guest?.id}`, { token: stranger.token })).status).toBe(403);
    expect((await shop.api.delete(`${path}${guest?.id}`, { token: admin.token })).status).toBe(204);
  });

  it('answer 404 for an unknown testimonial', async () => {
    expect((await shop.api.put(`${path}999999`, { token: owner.token, json: {} })).status).toBe(404);
  });
});
