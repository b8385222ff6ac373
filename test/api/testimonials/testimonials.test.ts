import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Testimonial } from '../../../src/store/testimonials/testimonials.dto.js';
import { insertAdmin, type InsertedUser, insertUser } from '../../support/accounts.js';
import { HeldTransaction } from '../../support/held-transaction.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const path = '/api/v1/testimonials/';

let app: TestApp;
let user: InsertedUser;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.database.rows('DELETE FROM testimonials');
  user = await insertUser(app, { first_name: 'Ada', last_name: 'Lovelace', avatar_url: '/uploads/avatar/ada.webp' });
});

function write(json: object, by = user) {
  return app.api.post<Testimonial>(path, { token: by.token, json });
}

async function insertGuest(name = 'Grace'): Promise<number> {
  const sql = `INSERT INTO testimonials (guest_name, guest_role, content, rating) VALUES ($1, 'Admiral', 'Good', 5) RETURNING id`;
  const [row] = await app.database.rows<{ id: number }>(sql, [name]);
  return row?.id ?? 0;
}

describe('POST /api/v1/testimonials/', () => {
  it('responds with 201 with the testimonial, its user, and the defaults', async () => {
    const { status, body } = await write({ content: 'Well made' });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      user_id: user.id,
      user: { id: user.id, username: user.username },
      content: 'Well made',
      rating: 5,
      is_featured: false,
      guest_name: null,
      guest_role: null,
      guest_avatar_url: null,
      name: 'Ada Lovelace',
      role: null,
      avatar_url: '/uploads/avatar/ada.webp',
    });
  });

  it('accepts rating and is_featured', async () => {
    expect((await write({ content: 'x', rating: 2, is_featured: true })).body).toMatchObject({
      rating: 2,
      is_featured: true,
    });
  });

  it.each([
    ['content', undefined, 'missing'],
    ['content', '', 'string_too_short'],
    ['content', ' \n ', 'string_pattern_mismatch'],
    ['content', 'x'.repeat(5_001), 'string_too_long'],
    ['content', 5, 'string_type'],
    ['rating', 0, 'greater_than_equal'],
    ['rating', 6, 'less_than_equal'],
    ['rating', null, 'int_type'],
    ['is_featured', 'true', 'bool_type'],
    ['is_featured', null, 'bool_type'],
  ])('responds with 422 when %s is %j', async (field, value, type) => {
    const { status, body } = await write({ content: 'x', [field]: value });
    expect(status).toBe(422);
    expect(body).toMatchObject({ detail: [{ loc: ['body', field], type }] });
  });

  it('responds with 401 without a token', async () => {
    expect((await app.api.post(path, { json: { content: 'x' } })).status).toBe(401);
  });

  it('writes nothing for an account deleted in the meantime', async () => {
    const deletion = await HeldTransaction.open(app.database, 'SELECT FROM users WHERE id = $1 FOR UPDATE', [user.id]);
    const answer = write({ content: 'x' });
    await deletion.blocks(1);
    await deletion.query('UPDATE users SET deleted_at = now() WHERE id = $1', [user.id]);
    await deletion.commit();
    expect((await answer).status).toBe(401);
    expect(await app.database.rows('SELECT FROM testimonials WHERE user_id = $1', [user.id])).toEqual([]);
  });
});

describe('GET /api/v1/testimonials/', () => {
  it('lists the newest first, page by page', async () => {
    const ids: number[] = [];
    for (const content of ['one', 'two', 'three']) ids.unshift((await write({ content })).body.id);
    expect((await app.api.get<Testimonial[]>(path)).body.map(({ id }) => id)).toEqual(ids);
    const page = await app.api.get<Testimonial[]>(`${path}?skip=1&limit=1`);
    expect(page.body.map(({ id }) => id)).toEqual([ids[1]]);
  });

  it('lists only the featured ones when asked', async () => {
    await write({ content: 'plain' });
    await write({ content: 'featured', is_featured: true });
    const featured = await app.api.get<Testimonial[]>(`${path}?featured_only=true`);
    expect(featured.body.map(({ content }) => content)).toEqual(['featured']);
    expect((await app.api.get<unknown[]>(`${path}?featured_only=false`)).body).toHaveLength(2);
  });

  it("shows a guest's testimonial with the guest's details", async () => {
    await insertGuest();
    const { body } = await app.api.get<Testimonial[]>(path);
    expect(body).toMatchObject([{ user_id: null, user: null, name: 'Grace', role: 'Admiral', avatar_url: null }]);
  });

  it.each(['limit=0', 'limit=101', 'skip=-1', 'featured_only=maybe'])('responds with 422 for %s', async (query) => {
    expect((await app.api.get(`${path}?${query}`)).status).toBe(422);
  });
});

describe('GET /api/v1/testimonials/{testimonial_id}', () => {
  it('returns the testimonial', async () => {
    const { body } = await write({ content: 'Well made' });
    expect(await app.api.get(path + body.id)).toMatchObject({ status: 200, body });
  });

  it.each(['999999', '99999999999', '-1'])('responds with 404 for the unknown %s', async (id) => {
    expect((await app.api.get(path + id)).status).toBe(404);
  });
});

describe('PUT /api/v1/testimonials/{testimonial_id}', () => {
  it('changes what is given, without a token', async () => {
    const { body } = await write({ content: 'before', rating: 3 });
    const answer = await app.api.put(path + body.id, { json: { content: 'after', is_featured: true } });
    expect(answer).toMatchObject({ status: 200, body: { content: 'after', rating: 3, is_featured: true } });
    expect((await app.api.get(path + body.id)).body).toEqual(answer.body);
  });

  it('leaves null and omitted fields as they are', async () => {
    const { body } = await write({ content: 'before', rating: 3, is_featured: true });
    const json = { content: null, rating: null, is_featured: null };
    expect(await app.api.put(path + body.id, { json })).toMatchObject({ status: 200, body });
    expect(await app.api.put(path + body.id, { json: {} })).toMatchObject({ status: 200, body });
  });

  it("prefers a guest's details to the user's, and null removes them again", async () => {
    const { body } = await write({ content: 'x' });
    const guest = { guest_name: 'A. L.', guest_role: 'Analyst', guest_avatar_url: 'https://example.com/a.png' };
    const shown = await app.api.put(path + body.id, { json: guest });
    expect(shown.body).toMatchObject({ ...guest, name: 'A. L.', role: 'Analyst', avatar_url: guest.guest_avatar_url });
    const emptied = await app.api.put(path + body.id, {
      json: { guest_name: null, guest_role: null, guest_avatar_url: null },
    });
    expect(emptied.body).toEqual(body);
  });

  it('responds with 400 when neither a user nor a guest would be left', async () => {
    const id = await insertGuest();
    for (const none of [null, '', ' ']) {
      const answer = await app.api.put(path + id, { json: { guest_name: none, guest_role: none } });
      expect(answer).toMatchObject({ status: 400, body: { code: 'guest_name_needed' } });
    }
    expect((await app.api.get(path + id)).body).toMatchObject({ guest_name: 'Grace', guest_role: 'Admiral' });
  });

  it.each([
    ['rating', 6],
    ['content', ''],
    ['guest_name', 'x'.repeat(101)],
    ['guest_avatar_url', 'javascript:alert(1)'],
  ])('responds with 422 when %s is %j', async (field, value) => {
    const id = await insertGuest();
    const { status, body } = await app.api.put(path + id, { json: { [field]: value } });
    expect(status).toBe(422);
    expect(body).toMatchObject({ detail: [{ loc: ['body', field] }] });
  });

  it('responds with 404 for an unknown testimonial', async () => {
    expect((await app.api.put(`${path}999999`, { json: { rating: 1 } })).status).toBe(404);
  });
});

describe('DELETE /api/v1/testimonials/{testimonial_id}', () => {
  it('responds with 204 without a body or a token, and the testimonial is gone', async () => {
    const { body } = await write({ content: 'x' });
    expect(await app.api.delete(path + body.id)).toMatchObject({ status: 204, body: '' });
    expect((await app.api.get(path + body.id)).status).toBe(404);
    expect((await app.api.delete(path + body.id)).status).toBe(404);
  });

  it('lets one of ten concurrent requests delete', async () => {
    const { body } = await write({ content: 'x' });
    const answers = await Promise.all(Array.from({ length: 10 }, () => app.api.delete(path + body.id)));
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(9);
  });
});

describe('PUT /api/v1/admin/testimonials/{testimonial_id}/answer', () => {
  let admin: InsertedUser;
  beforeAll(async () => {
    admin = await insertAdmin(app);
  });
  const answer = (id: number, json: object, by = admin) =>
    app.api.put<Testimonial>(`/api/v1/admin/testimonials/${id}/answer`, { token: by.token, json });

  it('shows the answer to everybody at once, until null or a blank removes it', async () => {
    const { body } = await write({ content: 'x' });
    expect(body).toMatchObject({ answer: null, answered_at: null });
    expect((await app.api.get<Testimonial[]>(path)).body).toEqual([body]);
    const { status, body: answered } = await answer(body.id, { answer: 'Thank you' });
    expect([status, answered]).toEqual([200, { ...body, answer: 'Thank you', answered_at: expect.any(String) }]);
    expect((await app.api.get<Testimonial[]>(path)).body).toEqual([answered]);
    expect((await app.api.get(path + body.id)).body).toEqual(answered);
    for (const nothing of [null, ' ']) {
      await answer(body.id, { answer: 'Thank you' });
      expect((await answer(body.id, { answer: nothing })).body).toEqual(body);
    }
  });

  it('keeps the answer when the testimonial changes', async () => {
    const id = await insertGuest();
    await answer(id, { answer: 'Thank you' });
    expect((await app.api.put(path + id, { json: { rating: 1 } })).body).toMatchObject({
      answer: 'Thank you',
      rating: 1,
    });
  });

  it.each([
    [{}, 'missing'],
    [{ answer: true }, 'string_type'],
    [{ answer: 'x'.repeat(5_001) }, 'string_too_long'],
  ])('responds with 422 to %j', async (json, type) => {
    const { status, body } = await answer(await insertGuest(), json);
    expect([status, body]).toEqual([422, { detail: [expect.objectContaining({ loc: ['body', 'answer'], type })] }]);
  });

  it('is for admins alone, also for the author', async () => {
    const { body } = await write({ content: 'x' });
    expect((await answer(body.id, { answer: 'x' }, user)).status).toBe(403);
    const its = `/api/v1/admin/testimonials/${body.id}`;
    expect((await app.api.put(`${its}/answer`, { json: { answer: 'x' } })).status).toBe(401);
    expect((await app.api.get(its, { token: user.token })).status).toBe(403);
  });

  it('responds with 404 for an unknown testimonial', async () => {
    expect((await answer(999_999, { answer: 'x' })).status).toBe(404);
    expect((await app.api.get('/api/v1/admin/testimonials/999999', { token: admin.token })).status).toBe(404);
  });
});
