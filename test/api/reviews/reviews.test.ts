import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { AdminReview } from '../../../src/store/reviews/admin-reviews.dto.js';
import type { ReviewResponse } from '../../../src/store/reviews/reviews.dto.js';
import { type InsertedUser, insertAdmin, insertUser } from '../../support/accounts.js';
import { HeldTransaction } from '../../support/held-transaction.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let user: InsertedUser;
let product: number;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  user = await insertUser(app, { first_name: 'Ada', avatar_url: '/uploads/avatar/ada.webp' });
  product = await insertProduct();
});

async function insertProduct(): Promise<number> {
  const sql = `INSERT INTO products (name, price, stock) VALUES ('Lamp', 10, 3) RETURNING id`;
  const [row] = await app.database.rows<{ id: number }>(sql);
  return row?.id ?? 0;
}

const pathOf = (productId: number | string): string => `/api/v1/reviews/product/${productId}`;

function review(json: object, by: InsertedUser | undefined = user, of = product) {
  return app.api.post<ReviewResponse>(pathOf(of), { token: by?.token, json });
}

async function order(status: string): Promise<void> {
  await app.database.rows(
    `WITH placed AS (INSERT INTO orders (user_id, status, total_price) VALUES ($1, $2, 20) RETURNING id)
     INSERT INTO order_items (order_id, product_id, quantity, price, product_name) SELECT id, $3, 2, 10, 'x' FROM placed`,
    [user.id, status, product],
  );
}

describe('POST /api/v1/reviews/product/{product_id}', () => {
  it('responds with 201 with the review and its author', async () => {
    const json = { rating: 4, title: 'Bright', content: 'Lights the room', image_url: '/uploads/general/a.webp' };
    const { status, body } = await review(json);
    expect(status).toBe(201);
    expect(body).toMatchObject({ ...json, product_id: product, user_id: user.id });
    expect(body.user).toEqual({
      id: user.id,
      username: user.username,
      first_name: 'Ada',
      last_name: null,
      avatar_url: '/uploads/avatar/ada.webp',
    });
  });

  it('accepts a rating alone', async () => {
    const { status, body } = await review({ rating: 1 });
    expect(status).toBe(201);
    expect(body).toMatchObject({ rating: 1, title: null, content: null, image_url: null });
  });

  it.each([1, 5])('takes a rating of %d', async (rating) => {
    expect((await review({ rating })).status).toBe(201);
  });

  it.each([
    ['rating', undefined, 'missing'],
    ['rating', 0, 'greater_than_equal'],
    ['rating', 6, 'less_than_equal'],
    ['rating', 3.5, 'int_from_float'],
    ['rating', '5', 'int_type'],
    ['rating', null, 'int_type'],
    ['title', 'x'.repeat(201), 'string_too_long'],
    ['content', 'x'.repeat(5_001), 'string_too_long'],
    ['content', 'a\0b', 'string_unicode'],
    ['image_url', 'javascript:alert(1)', 'string_pattern_mismatch'],
    ['image_url', '/etc/passwd', 'string_pattern_mismatch'],
    ['image_url', '/uploads/general/../../x', 'string_pattern_mismatch'],
    ['image_url', `https://example.com/${'x'.repeat(2_048)}`, 'string_too_long'],
  ])('responds with 422 when %s is %j', async (field, value, type) => {
    const { status, body } = await review({ rating: 3, [field]: value });
    expect(status).toBe(422);
    expect(body).toMatchObject({ detail: [{ loc: ['body', field], type }] });
  });

  it('accepts texts of the maximum length', async () => {
    const { status } = await review({ rating: 3, title: 'é'.repeat(200), content: 'é'.repeat(5_000) });
    expect(status).toBe(201);
  });

  it('responds with 401 without a token', async () => {
    const { status } = await app.api.post(pathOf(product), { json: { rating: 3 } });
    expect(status).toBe(401);
  });

  it.each(['999999', '99999999999999999999', '-1'])('responds with 404 for the unknown product %s', async (id) => {
    const { status, body } = await app.api.post(pathOf(id), { token: user.token, json: { rating: 3 } });
    expect(status).toBe(404);
    expect(body).toEqual({ detail: 'Product not found', code: 'not_found' });
  });

  it('responds with 404 for a deleted product', async () => {
    await app.database.rows('UPDATE products SET deleted_at = now() WHERE id = $1', [product]);
    expect((await review({ rating: 3 })).status).toBe(404);
  });

  it('responds with 409 for a second review by the same user', async () => {
    await review({ rating: 3 });
    const { status, body } = await review({ rating: 4 });
    expect(status).toBe(409);
    expect(body).toMatchObject({ code: 'already_reviewed' });
  });

  it('accepts one of ten concurrent ones and refuses the others with 409', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => review({ rating: 5 })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(9);
    expect((await app.api.get<unknown[]>(pathOf(product))).body).toHaveLength(1);
  });

  it('accepts a new review after the first is deleted', async () => {
    const { body } = await review({ rating: 3 });
    await app.api.delete(`/api/v1/reviews/${body.id}`, { token: user.token });
    expect((await review({ rating: 4 })).status).toBe(201);
  });

  it('writes nothing for an account deleted in the meantime', async () => {
    const deletion = await HeldTransaction.open(app.database, 'SELECT FROM users WHERE id = $1 FOR UPDATE', [user.id]);
    const answer = review({ rating: 3 });
    await deletion.blocks(1);
    await deletion.query('UPDATE users SET deleted_at = now() WHERE id = $1', [user.id]);
    await deletion.commit();
    expect((await answer).status).toBe(401);
    expect(await app.database.rows('SELECT FROM reviews WHERE user_id = $1', [user.id])).toEqual([]);
  });
});

describe('GET /api/v1/reviews/product/{product_id}', () => {
  it('lists the newest first, page by page', async () => {
    const written: number[] = [];
    for (const rating of [1, 2, 3]) written.unshift((await review({ rating }, await insertUser(app))).body.id);
    const all = await app.api.get<ReviewResponse[]>(pathOf(product));
    expect(all.body.map(({ id }) => id)).toEqual(written);
    const page = await app.api.get<ReviewResponse[]>(`${pathOf(product)}?skip=1&limit=1`);
    expect(page.body.map(({ id }) => id)).toEqual([written[1]]);
  });

  it('orders reviews of the same instant by id', async () => {
    const [one, other] = [await insertUser(app), await insertUser(app)];
    await review({ rating: 1 }, one);
    await review({ rating: 2 }, other);
    await app.database.rows(`UPDATE reviews SET created_at = '2026-01-01Z' WHERE product_id = $1`, [product]);
    const { body } = await app.api.get<ReviewResponse[]>(pathOf(product));
    expect(body.map(({ rating }) => rating)).toEqual([2, 1]);
  });

  it('returns 20 by default', async () => {
    await app.database.rows(
      `WITH authors AS (
         INSERT INTO users (id, username, email, password_hash)
         SELECT gen_random_uuid(), 'many' || n, 'many' || n || '@example.com', 'none' FROM generate_series(1, 21) AS n
         RETURNING id)
       INSERT INTO reviews (product_id, user_id, rating) SELECT $1, id, 3 FROM authors`,
      [product],
    );
    expect((await app.api.get<unknown[]>(pathOf(product))).body).toHaveLength(20);
    expect((await app.api.get<unknown[]>(`${pathOf(product)}?limit=100`)).body).toHaveLength(21);
  });

  it('returns an empty list for a product without reviews, and beyond the last page', async () => {
    expect(await app.api.get(pathOf(product))).toMatchObject({ status: 200, body: [] });
    await review({ rating: 3 });
    expect(await app.api.get(`${pathOf(product)}?skip=900000`)).toMatchObject({ status: 200, body: [] });
  });

  it('keeps the reviews of products apart', async () => {
    await review({ rating: 3 });
    expect((await app.api.get(pathOf(await insertProduct()))).body).toEqual([]);
  });

  it('responds with 404 for an unknown product', async () => {
    expect((await app.api.get(pathOf(999_999))).status).toBe(404);
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['skip=-1', 'skip'],
    ['skip=x', 'skip'],
  ])('responds with 422 for %s', async (query, field) => {
    const { status, body } = await app.api.get(`${pathOf(product)}?${query}`);
    expect(status).toBe(422);
    expect(body).toMatchObject({ detail: [{ loc: ['query', field] }] });
  });

  it('responds with 422 for a product id that is not a number', async () => {
    const { status, body } = await app.api.get(pathOf('lamp'));
    expect(status).toBe(422);
    expect(body).toMatchObject({ detail: [{ loc: ['path', 'product_id'], type: 'int_parsing' }] });
  });
});

describe('GET /api/v1/reviews/product/{product_id}/stats', () => {
  it('returns zeros and the stock for a product without reviews and orders', async () => {
    const { status, body } = await app.api.get(`${pathOf(product)}/stats`);
    expect(status).toBe(200);
    expect(body).toEqual({ product_id: product, average_rating: 0, review_count: 0, order_count: 0, stock: 3 });
  });

  it('rounds the average to two decimals', async () => {
    for (const rating of [5, 4, 4]) await review({ rating }, await insertUser(app));
    const { body } = await app.api.get(`${pathOf(product)}/stats`);
    expect(body).toMatchObject({ average_rating: 4.33, review_count: 3 });
  });

  it('counts orders without cancelled and refunded ones, and not their pieces', async () => {
    for (const status of ['pending', 'paid', 'completed', 'cancelled', 'refunded']) await order(status);
    expect((await app.api.get(`${pathOf(product)}/stats`)).body).toMatchObject({ order_count: 3 });
  });

  it('responds with 404 for an unknown product', async () => {
    expect((await app.api.get(`${pathOf(999_999)}/stats`)).status).toBe(404);
  });
});

describe('DELETE /api/v1/reviews/{review_id}', () => {
  it('lets the owner delete', async () => {
    const { body } = await review({ rating: 3 });
    expect((await app.api.delete(`/api/v1/reviews/${body.id}`, { token: user.token })).status).toBe(204);
    expect((await app.api.get(pathOf(product))).body).toEqual([]);
  });

  it('lets an admin delete', async () => {
    const { body } = await review({ rating: 3 });
    const { token } = await insertAdmin(app);
    expect((await app.api.delete(`/api/v1/reviews/${body.id}`, { token })).status).toBe(204);
  });

  it('responds with 403 for anyone else, and keeps the review', async () => {
    const { body } = await review({ rating: 3 });
    const { token } = await insertUser(app);
    const answer = await app.api.delete(`/api/v1/reviews/${body.id}`, { token });
    expect(answer).toMatchObject({ status: 403, body: { code: 'not_the_owner' } });
    expect((await app.api.get(pathOf(product))).body).toHaveLength(1);
  });

  it('responds with 401 without a token', async () => {
    const { body } = await review({ rating: 3 });
    expect((await app.api.delete(`/api/v1/reviews/${body.id}`)).status).toBe(401);
  });

  it('responds with 404 for an unknown review', async () => {
    expect((await app.api.delete('/api/v1/reviews/999999', { token: user.token })).status).toBe(404);
    expect((await app.api.delete('/api/v1/reviews/99999999999', { token: user.token })).status).toBe(404);
  });

  it('responds with 422 for an id that is not a number', async () => {
    expect((await app.api.delete(`/api/v1/reviews/${randomUUID()}`, { token: user.token })).status).toBe(422);
  });
});

describe('PUT /api/v1/admin/reviews/{review_id}/answer', () => {
  let admin: InsertedUser;
  beforeAll(async () => {
    admin = await insertAdmin(app);
  });
  const answer = (id: number | string, json: object, by: InsertedUser | undefined = admin) =>
    app.api.put<AdminReview>(`/api/v1/admin/reviews/${id}/answer`, { token: by?.token, json });
  const shown = async () => (await app.api.get<ReviewResponse[]>(pathOf(product))).body[0];

  it('shows the answer at once where the reviews of the product were read before, and another one in its place', async () => {
    const { body } = await review({ rating: 2, title: 'Dim' });
    expect(body).toMatchObject({ answer: null, answered_at: null });
    expect(await shown()).toEqual(body);
    const { status, body: answered } = await answer(body.id, { answer: 'Try a brighter bulb' });
    expect(status).toBe(200);
    expect(answered).toMatchObject({
      id: body.id,
      product_name: 'Lamp',
      username: user.username,
      answer: 'Try a brighter bulb',
      answered_at: expect.stringMatching(/Z$/),
    });
    const { answered_at } = answered;
    expect(await shown()).toEqual({ ...body, answer: 'Try a brighter bulb', answered_at });
    await answer(body.id, { answer: 'Two of them' });
    expect(await shown()).toMatchObject({ answer: 'Two of them' });
    const read = await app.api.get(`/api/v1/admin/reviews/${body.id}`, { token: admin.token });
    expect(read).toMatchObject({ status: 200, body: { answer: 'Two of them' } });
  });

  it.each([null, '', ' \n '])('removes the answer by %j', async (nothing) => {
    const { body } = await review({ rating: 2 });
    await answer(body.id, { answer: 'So' });
    expect((await answer(body.id, { answer: nothing })).body).toMatchObject({ answer: null, answered_at: null });
    expect(await shown()).toEqual(body);
  });

  it('leaves the time of an answer as it is where the same one comes again', async () => {
    const { body } = await review({ rating: 2 });
    const first = await answer(body.id, { answer: 'So' });
    expect((await answer(body.id, { answer: 'So' })).body).toEqual(first.body);
  });

  it.each([
    [{}, 'missing'],
    [{ answer: 5 }, 'string_type'],
    [{ answer: 'x'.repeat(5_001) }, 'string_too_long'],
    [{ answer: 'a\0b' }, 'string_unicode'],
  ])('responds with 422 to %j', async (json, type) => {
    const { body: written } = await review({ rating: 2 });
    const { status, body } = await answer(written.id, json);
    expect([status, body]).toEqual([422, { detail: [expect.objectContaining({ loc: ['body', 'answer'], type })] }]);
  });

  it('takes an answer of the maximum length', async () => {
    const { body } = await review({ rating: 2 });
    expect((await answer(body.id, { answer: 'é'.repeat(5_000) })).status).toBe(200);
  });

  it('is for admins alone', async () => {
    const { body } = await review({ rating: 2 });
    expect((await answer(body.id, { answer: 'x' }, user)).status).toBe(403);
    const path = `/api/v1/admin/reviews/${body.id}`;
    expect((await app.api.put(`${path}/answer`, { json: { answer: 'x' } })).status).toBe(401);
    expect((await app.api.get(path, { token: user.token })).status).toBe(403);
    expect(await shown()).toMatchObject({ answer: null });
  });

  it('responds with 404 for an unknown review, and with 422 for an id that is not a number', async () => {
    for (const id of [999_999, '99999999999', -1]) {
      expect((await answer(id, { answer: 'x' })).status).toBe(404);
      expect((await app.api.get(`/api/v1/admin/reviews/${id}`, { token: admin.token })).status).toBe(404);
    }
    expect((await answer(randomUUID(), { answer: 'x' })).status).toBe(422);
  });

  it('refuses with 404 what waits for a deletion of the review', async () => {
    const { body } = await review({ rating: 2 });
    const deletion = await HeldTransaction.open(app.database, 'DELETE FROM reviews WHERE id = $1', [body.id]);
    const late = answer(body.id, { answer: 'Late' });
    await deletion.blocks(1);
    await deletion.commit();
    expect((await late).status).toBe(404);
  });

  it('audits each of two answers at once, the second as a change of the first', async () => {
    const { body } = await review({ rating: 2 });
    await Promise.all([answer(body.id, { answer: 'One' }), answer(body.id, { answer: 'Other' })]);
    const rows = await app.database.rows<{ changes: { answer: { from: string | null; to: string } } }>(
      `SELECT changes FROM audit_entries WHERE action = 'review.answered' AND subject_id = $1 ORDER BY created_at, id`,
      [String(body.id)],
    );
    const steps = rows.map(({ changes }) => changes.answer);
    expect(steps.map(({ to }) => to).sort()).toEqual(['One', 'Other']);
    const last = (await shown())?.answer ?? '';
    const first = last === 'One' ? 'Other' : 'One';
    expect(steps).toEqual(
      expect.arrayContaining([
        { from: null, to: first },
        { from: first, to: last },
      ]),
    );
  });
});
