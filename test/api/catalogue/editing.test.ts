import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Product, ProductDetail } from '../../../src/store/catalogue/catalogue.dto.js';
import { insertAdmin, insertUser, type InsertedUser } from '../../support/accounts.js';
import { addToCart, fillCart, insertProduct } from '../../support/goods.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const group = '7b0c3c52-5a3f-4f6e-9d8e-1f3f6a3e2b11';

let app: TestApp;
let admin: InsertedUser;
beforeAll(async () => {
  app = await startTestApp();
  admin = await insertAdmin(app);
  await app.database.rows(`INSERT INTO categories (slug, name) VALUES ('shirts', 'Shirts'), ('sale', 'Sale')`);
});
afterAll(() => app.close());

const base = { name: 'Linen shirt', price: 49.9, stock: 3 };
const create = (json: object, node: Pick<TestApp, 'api'> = app) =>
  node.api.post<ProductDetail>('/api/v1/admin/products', { token: admin.token, json: { ...base, ...json } });
const put = (id: number, json: object, node: Pick<TestApp, 'api'> = app) =>
  node.api.put<ProductDetail>(`/api/v1/admin/products/${id}`, { token: admin.token, json });
const bySlug = (slug: string) => app.api.get<ProductDetail>(`/api/v1/products/by-slug/${slug}`);
const read = (id: number) => app.api.get<ProductDetail>(`/api/v1/products/${id}`);

describe('An admin', () => {
  it('sets all fields of a product', async () => {
    const images = [
      { url: '/uploads/product/a.webp', alt: 'From the front' },
      { url: 'https://example.com/b.jpg', alt: null },
    ];
    const { status, body, headers } = await create({
      group_id: group,
      slug: 'linen-shirt-blue',
      sku: 'LS-1',
      images,
      categories: ['shirts', 'sale', 'sale'],
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      group_id: group,
      slug: 'linen-shirt-blue',
      sku: 'LS-1',
      status: 'published',
      image_url: images[0]?.url,
      images,
      categories: ['sale', 'shirts'],
      variants: [{ id: body.id }],
    });
    const shown = await read(body.id);
    expect(shown.body).toEqual(body);
    expect(shown.headers.get('etag')).toBe(headers.get('etag'));
  });

  it('changes the gallery, and the picture by itself', async () => {
    const { body } = await create({
      images: [{ url: '/uploads/product/a.webp', alt: 'A' }, { url: '/uploads/product/b.webp' }],
    });
    const b = { url: '/uploads/product/b.webp', alt: null };
    const own = await put(body.id, { image_url: '/uploads/product/c.webp' });
    expect(own.body.images).toEqual([{ url: '/uploads/product/c.webp', alt: null }, b]);
    expect((await put(body.id, { images: [b] })).body).toMatchObject({ image_url: b.url, images: [b] });
    expect((await put(body.id, { image_url: null })).body).toMatchObject({ image_url: null, images: [] });
  });

  it('changes the slug: the old one leads to the product', async () => {
    const { body } = await create({ slug: 'first-name' });
    await put(body.id, { slug: 'second-name' });
    expect((await bySlug('first-name')).body).toMatchObject({ id: body.id, slug: 'second-name' });
    const other = await create({ slug: 'first-name' });
    expect([other.status, other.body]).toEqual([409, expect.objectContaining({ code: 'slug_taken' })]);
    expect((await put(body.id, { slug: 'first-name' })).body.slug).toBe('first-name');
    await app.api.delete(`/api/v1/admin/products/${body.id}`, { token: admin.token });
    expect((await bySlug('second-name')).status).toBe(404);
    expect((await create({ slug: 'second-name' })).status).toBe(201);
  });

  it('keeps at most twenty slugs of a product', async () => {
    const { body } = await create({ slug: 'turn-0' });
    for (let n = 1; n <= 21; n++) expect((await put(body.id, { slug: `turn-${n}` })).status).toBe(200);
    expect([(await bySlug('turn-1')).status, (await bySlug('turn-2')).status]).toEqual([404, 200]);
  });

  it('gives each article number once, also of two at once on two nodes', async () => {
    const other = await app.anotherNode();
    const made = await Promise.all([1, 2, 3, 4].map((n) => create({ sku: 'ONCE' }, n % 2 ? app : other)));
    expect(made.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409]);
    const slugs = await Promise.all([1, 2, 3, 4].map((n) => create({ slug: 'wanted' }, n % 2 ? app : other)));
    expect(slugs.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409]);
  });

  it.each([
    { slug: 'No' },
    { slug: 'a--b' },
    { sku: 'x'.repeat(65) },
    { status: 'hidden' },
    { categories: ['nowhere'] },
    { categories: Array.from({ length: 11 }, () => 'sale') },
    { images: [{ url: 'javascript:alert(1)' }] },
    { images: Array.from({ length: 21 }, () => ({ url: '/uploads/product/a.webp' })) },
    { group_id: 'x' },
  ])('is refused %j', async (json) => {
    expect((await create(json)).status).toBe(422);
  });

  it('is refused a group of more than a hundred', async () => {
    const full = '7b0c3c52-5a3f-4f6e-9d8e-1f3f6a3e2b12';
    await app.database.rows(
      `INSERT INTO products (name, price, stock, group_id) SELECT 'n', 1, 1, $1 FROM generate_series(1, 100)`,
      [full],
    );
    expect((await create({ group_id: full })).body).toMatchObject({ code: 'group_full' });
  });
});

describe('A draft', () => {
  it('is seen by admins alone, and leaves carts', async () => {
    const user = await insertUser(app);
    const product = await insertProduct(app, { name: 'Drafted lamp' });
    await addToCart(app, user, product);
    expect((await put(product, { status: 'draft' })).body.status).toBe('draft');
    expect((await read(product)).status).toBe(404);
    const cart = await app.api.get<{ items: object[] }>('/api/v1/cart/', { token: user.token });
    expect(cart.body.items).toEqual([]);
    const added = await app.api.post('/api/v1/cart/add', {
      token: user.token,
      json: { product_id: product, quantity: 1 },
    });
    expect(added.status).toBe(404);
    await fillCart(app, user, [product]);
    expect((await app.api.post('/api/v1/orders/', { token: user.token })).body).toMatchObject({ code: 'empty_cart' });
    const list = await app.api.get<Product[]>('/api/v1/admin/products?search=drafted', { token: admin.token });
    expect(list.body).toMatchObject([{ id: product, status: 'draft' }]);
    const one = await app.api.get<Product>(`/api/v1/admin/products/${product}`, { token: admin.token });
    expect(one.body.status).toBe('draft');
    await put(product, { status: 'published' });
    expect((await read(product)).status).toBe(200);
  });
});
