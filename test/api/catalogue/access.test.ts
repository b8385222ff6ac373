import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Product } from '../../../src/store/catalogue/catalogue.dto.js';
import { insertAdmin, insertUser } from '../../support/accounts.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const shirt = { name: 'Linen shirt', price: 49.9, stock: 3 };

async function productOf(app: TestApp): Promise<string> {
  const [product] = await app.database.rows<{ id: number }>(
    `INSERT INTO products (name, price, stock) VALUES ('Shirt', 1, 1) RETURNING id`,
  );
  return `/api/v1/products/${product?.id}`;
}

describe('The catalogue under ACCESS_POLICY=contract', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp({ env: { ACCESS_POLICY: 'contract' } });
  });
  afterAll(() => app.close());

  it('lets anyone create and update products', async () => {
    expect((await app.api.post('/api/v1/products/', { json: shirt })).status).toBe(201);
    expect((await app.api.put(await productOf(app), { json: { stock: 9 } })).status).toBe(200);
  });

  it('takes a broken token for none', async () => {
    expect((await app.api.post('/api/v1/products/', { json: shirt, token: 'broken' })).status).toBe(201);
    expect((await app.api.get('/api/v1/products/', { token: 'broken' })).status).toBe(200);
  });
});

describe('The catalogue under ACCESS_POLICY=hardened', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp({ env: { ACCESS_POLICY: 'hardened' } });
  });
  afterAll(() => app.close());

  it.each([undefined, 'broken'])('responds with 401 to a write with the token %s', async (token) => {
    const product = await productOf(app);
    for (const { status, headers } of [
      await app.api.post('/api/v1/products/', { json: shirt, token }),
      await app.api.put(product, { json: { stock: 9 }, token }),
    ]) {
      expect(status).toBe(401);
      expect(headers.get('www-authenticate')).toMatch(/^Bearer/);
    }
  });

  it('responds with 403 to a write by a user, and changes nothing', async () => {
    const { token } = await insertUser(app);
    const product = await productOf(app);
    expect((await app.api.post('/api/v1/products/', { json: shirt, token })).status).toBe(403);
    expect((await app.api.put(product, { json: { stock: 9 }, token })).status).toBe(403);
    expect((await app.api.get<Product>(product)).body.stock).toBe(1);
  });

  it('checks access before it looks at the body', async () => {
    expect((await app.api.post('/api/v1/products/', { json: {} })).status).toBe(401);
  });

  it('lets an admin write', async () => {
    const { token } = await insertAdmin(app);
    expect((await app.api.post('/api/v1/products/', { json: shirt, token })).status).toBe(201);
    expect((await app.api.put(await productOf(app), { json: { stock: 9 }, token })).status).toBe(200);
  });

  it('lets anyone read', async () => {
    const paths = ['', 'search/?q=shirt', 'filter/by-color?color=red'].map((path) => `/api/v1/products/${path}`);
    for (const path of [...paths, await productOf(app)]) expect((await app.api.get(path)).status).toBe(200);
  });
});
