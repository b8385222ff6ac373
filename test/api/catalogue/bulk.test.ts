import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Product } from '../../../src/store/catalogue/catalogue.dto.js';
import type { ProductBulkResult } from '../../../src/store/catalogue/product-bulk.dto.js';
import { insertAdmin, insertUser, type InsertedUser } from '../../support/accounts.js';
import { fillCart, insertProduct } from '../../support/goods.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let admin: InsertedUser;
beforeAll(async () => {
  app = await startTestApp();
  admin = await insertAdmin(app);
  await app.database.rows(
    `INSERT INTO categories (slug, name) SELECT 'c' || n, 'Category ' || n FROM generate_series(1, 12) AS n`,
  );
});
afterAll(() => app.close());

const bulk = (json: object, key?: string) =>
  app.api.post<ProductBulkResult>('/api/v1/admin/products/bulk', {
    token: admin.token,
    json,
    headers: key === undefined ? {} : { 'idempotency-key': key },
  });
const read = async (id: number) =>
  (await app.api.get<Product>(`/api/v1/admin/products/${id}`, { token: admin.token })).body;
const priceOf = async (id: number) => (await read(id)).price;

describe('POST /api/v1/admin/products/bulk', () => {
  it.each([
    [{ percent: -10 }, 49.9, 44.91],
    [{ percent: 33.33 }, 0.05, 0.07],
    [{ percent: -50 }, 0.01, 0.01],
    [{ percent: -100 }, 12, 0],
    [{ amount: -0.1 }, 0.3, 0.2],
    [{ amount: 5 }, 9_999_994.99, 9_999_999.99],
  ])('changes prices by %j: %d becomes %d', async (price, from, to) => {
    const id = await insertProduct(app, { price: from });
    expect((await bulk({ ids: [id], price })).status).toBe(200);
    expect(await priceOf(id)).toBe(to);
  });

  it('says what it changed, what was so already, and what there is not', async () => {
    const [one, two] = [await insertProduct(app), await insertProduct(app)];
    await bulk({ ids: [one], status: 'draft' });
    const { body } = await bulk({ ids: [one, two, two, 2_000_000_000], status: 'draft' });
    expect(body).toEqual({ changed: 1, unchanged: 1, missing: [2_000_000_000] });
    const entries = await app.database.rows(
      `SELECT changes FROM audit_entries WHERE action = 'product.updated' AND subject_id = $1`,
      [String(two)],
    );
    expect(entries).toEqual([{ changes: { status: { from: 'published', to: 'draft' } } }]);
  });

  it('takes drafts out of carts', async () => {
    const user = await insertUser(app);
    const id = await insertProduct(app);
    await fillCart(app, user, [id]);
    await bulk({ ids: [id], status: 'draft' });
    expect(await app.database.rows('SELECT FROM cart_items WHERE product_id = $1', [id])).toHaveLength(0);
  });

  it('puts products into categories, and takes them out', async () => {
    const ids = [await insertProduct(app), await insertProduct(app)];
    await bulk({ ids, add_categories: ['c1', 'c2'] });
    await bulk({ ids, add_categories: ['c3'], remove_categories: ['c1'] });
    for (const id of ids) expect((await read(id)).categories).toEqual(['c2', 'c3']);
    const more = Array.from({ length: 9 }, (_, n) => `c${n + 4}`);
    expect((await bulk({ ids, add_categories: more })).status).toBe(422);
    expect((await read(ids[0] ?? 0)).categories).toEqual(['c2', 'c3']);
  });

  it('changes all or nothing', async () => {
    const ids = [await insertProduct(app, { price: 10 }), await insertProduct(app, { price: 1 })];
    expect((await bulk({ ids, price: { amount: -5 } })).status).toBe(422);
    expect(await priceOf(ids[0] ?? 0)).toBe(10);
  });

  it('does a request with a key once, also of four at once', async () => {
    const id = await insertProduct(app, { price: 100 });
    const key = randomUUID();
    const asked = { ids: [id], price: { percent: 10 } };
    const answers = await Promise.all([1, 2, 3, 4].map(() => bulk(asked, key)));
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    expect((await bulk(asked, key)).body).toEqual({ changed: 1, unchanged: 0, missing: [] });
    expect(await priceOf(id)).toBe(110);
    expect((await bulk({ ...asked, price: { percent: 5 } }, key)).status).toBe(422);
  });

  it.each([
    { ids: [] },
    { ids: [1] },
    { ids: [0], status: 'draft' },
    { ids: [1], price: {} },
    { ids: [1], price: { percent: 1, amount: 1 } },
    { ids: [1], price: { percent: -101 } },
    { ids: [1], status: 'hidden' },
    { ids: [1], add_categories: ['nowhere'] },
    { ids: Array.from({ length: 501 }, (_, n) => n + 1), status: 'draft' },
  ])('refuses %j', async (json) => {
    expect((await bulk(json)).status).toBe(422);
  });

  it('is for admins alone', async () => {
    const { token } = await insertUser(app);
    const json = { ids: [1], status: 'draft' };
    expect((await app.api.post('/api/v1/admin/products/bulk', { token, json })).status).toBe(403);
  });
});
