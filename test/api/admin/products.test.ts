import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Product as ProductBody } from '../../../src/store/catalogue/catalogue.dto.js';
import { insertAdmin, insertUser } from '../../support/accounts.js';
import type { ApiAnswer, ApiRequest } from '../../support/api-client.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

type Product = Pick<ProductBody, keyof ProductBody>;

const shirt = { name: 'Linen shirt', price: 49.9, stock: 3 };
const products = '/api/v1/admin/products';

let app: TestApp;
let token: string;
beforeAll(async () => {
  app = await startTestApp();
  ({ token } = await insertAdmin(app));
});
beforeEach(() => app.database.rows('UPDATE products SET deleted_at = now() WHERE deleted_at IS NULL'));
afterAll(() => app.close());

async function create(choices: Partial<Product> = {}): Promise<Product> {
  const { status, body } = await app.api.post<Product>(products, { json: { ...shirt, ...choices }, token });
  expect(status).toBe(201);
  return body;
}

function remove(id: number): Promise<ApiAnswer<unknown>> {
  return app.api.delete(`${products}/${id}`, { token });
}

describe('GET /api/v1/admin/products', () => {
  it('returns a hundred products by default, in the order of ids', async () => {
    await app.database.rows(`INSERT INTO products (name, price, stock) SELECT 'P', 1, 1 FROM generate_series(1, 120)`);
    const ids = (await app.api.get<Product[]>(products, { token })).body.map(({ id }) => id);
    expect(ids).toHaveLength(100);
    expect(ids).toEqual([...ids].sort((one, other) => one - other));
  });

  it.each([
    ['?skip=1&limit=1', 1],
    ['?limit=0', 0],
    ['?limit=-1', 0],
    ['?limit=5000', 3],
    ['?skip=-7', 3],
    ['?skip=99999999999999999999', 0],
  ])('clamps a page that is out of bounds: %s', async (query, count) => {
    for (let n = 0; n < 3; n++) await create();
    const { status, body } = await app.api.get<Product[]>(`${products}${query}`, { token });
    expect(status).toBe(200);
    expect(body).toHaveLength(count);
  });
});

describe('POST /api/v1/admin/products', () => {
  it('responds with 201 with a product that the catalogue shows', async () => {
    const created = await create({ color: 'red' });
    expect((await app.api.get<Product>(`/api/v1/products/${created.id}`)).body).toEqual(created);
  });

  it('responds with 422 to a product without a price', async () => {
    expect((await app.api.post(products, { json: { name: 'Shirt', stock: 1 }, token })).status).toBe(422);
  });
});

describe('PUT /api/v1/admin/products/{product_id}', () => {
  it('changes what is given', async () => {
    const before = await create();
    const { body } = await app.api.put<Product>(`${products}/${before.id}`, { json: { stock: 8 }, token });
    expect(body).toEqual({ ...before, stock: 8 });
  });

  it('responds with 404 for an unknown product', async () => {
    expect((await app.api.put(`${products}/2147483648`, { json: { stock: 8 }, token })).status).toBe(404);
  });
});

describe('DELETE /api/v1/admin/products/{product_id}', () => {
  it('responds with 204 without a body, then 404', async () => {
    const { id } = await create();
    const { status, body } = await remove(id);
    expect([status, body]).toEqual([204, '']);
    expect((await remove(id)).status).toBe(404);
  });

  it('removes the product from every list', async () => {
    const { id } = await create({ color: 'red' });
    await remove(id);
    expect((await app.api.get(`/api/v1/products/${id}`)).status).toBe(404);
    for (const path of ['', 'search/?q=shirt', 'filter/by-color?color=red']) {
      expect((await app.api.get(`/api/v1/products/${path}`)).body).toEqual([]);
    }
    expect((await app.api.get(products, { token })).body).toEqual([]);
  });

  it('removes the product from carts and keeps it in orders', async () => {
    const { id } = await create();
    const buyer = await insertUser(app);
    await app.database.rows(
      `INSERT INTO cart_items (cart_id, product_id, quantity) SELECT id, ${id}, 2 FROM carts WHERE user_id = '${buyer.id}'`,
    );
    await app.database.rows(
      `WITH placed AS (INSERT INTO orders (user_id, total_price) VALUES ('${buyer.id}', 99.8) RETURNING id)
       INSERT INTO order_items (order_id, product_id, quantity, price, product_name)
       SELECT id, ${id}, 2, 49.9, 'Linen shirt' FROM placed`,
    );
    await remove(id);
    expect((await app.api.get('/api/v1/cart/', { token: buyer.token })).body).toMatchObject({ items: [] });
    expect((await app.api.get('/api/v1/orders/', { token: buyer.token })).body).toMatchObject([
      { items: [{ product_id: id, quantity: 2, product: { name: 'Linen shirt' } }] },
    ]);
  });

  it('responds with 204 once and 404 otherwise when many delete it concurrently', async () => {
    const { id } = await create();
    const statuses = (await Promise.all(Array.from({ length: 8 }, () => remove(id)))).map(({ status }) => status);
    expect(statuses.sort((one, other) => one - other)).toEqual([204, ...Array<number>(7).fill(404)]);
  });
});

describe('The products of the administration', () => {
  const attempts: [string, string, ApiRequest][] = [
    ['GET', products, {}],
    ['POST', products, { json: shirt }],
    ['PUT', `${products}/1`, { json: { stock: 1 } }],
    ['DELETE', `${products}/1`, {}],
  ];

  it.each(attempts)('are for admins alone: %s %s', async (method, path, request) => {
    const user = await insertUser(app);
    expect((await app.api.send(method, path, request)).status).toBe(401);
    expect((await app.api.send(method, path, { ...request, token: user.token })).status).toBe(403);
  });
});
