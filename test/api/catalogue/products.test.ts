import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { HTTPValidationError } from '../../../src/platform/openapi/error.dto.js';
import type { Product as ProductShape } from '../../../src/store/catalogue/catalogue.dto.js';
import { pastTheCache } from '../../support/past-the-cache.js';
import { statementsOf } from '../../support/statement-count.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

type Product = Pick<ProductShape, keyof ProductShape>;

const shirt = { name: 'Linen shirt', price: 49.9, stock: 3 };
const nowhere = [0, -1, 2_147_483_647, 2_147_483_648, '9223372036854775808', '-9999999999999999999999', '1e2'];

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

async function create(choices: Partial<Product> = {}): Promise<Product> {
  return (await app.api.post<Product>('/api/v1/products/', { json: { ...shirt, ...choices } })).body;
}

async function remove(id: number): Promise<void> {
  await app.database.rows('UPDATE products SET deleted_at = now() WHERE id = $1', [id]);
}

function faultsOf(body: unknown): string[] {
  return (body as HTTPValidationError).detail.map(({ loc, type }) => `${loc.join('.')} ${type}`);
}

async function idsOf(query: string): Promise<number[]> {
  return (await app.api.get<Product[]>(`/api/v1/products/${query}`)).body.map(({ id }) => id);
}

describe('POST /api/v1/products/', () => {
  it('responds with 201 with the product', async () => {
    const { status, body } = await app.api.post<Product>('/api/v1/products/', { json: shirt });
    expect(status).toBe(201);
    expect(body).toEqual({
      ...shirt,
      id: expect.any(Number),
      description: null,
      color: null,
      material: null,
      size: null,
      image_url: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      group_id: null,
      slug: expect.stringMatching(/^linen-shirt(-\d+)?$/),
      sku: null,
      status: 'published',
      images: [],
      categories: [],
      average_rating: null,
      review_count: 0,
      variants: [],
    });
  });

  it('keeps every given field', async () => {
    const whole = {
      ...shirt,
      description: 'Light',
      color: 'écru',
      material: 'linen',
      size: 'M',
      image_url: '/uploads/product/a.png',
    };
    const { body } = await app.api.post<Product>('/api/v1/products/', { json: whole });
    expect((await app.api.get<Product>(`/api/v1/products/${body.id}`)).body).toEqual(body);
    expect(body).toMatchObject(whole);
  });

  it('ignores an id and a time of creation in the body', async () => {
    const created = await create({ id: 999_999, created_at: new Date(0) });
    expect(created.id).not.toBe(999_999);
    expect(new Date(created.created_at).getFullYear()).toBeGreaterThan(2000);
  });

  it.each([0, 0.01, 0.1, 19.99, 1_234_567.89, 9_999_999.99])('keeps the price %d to the cent', async (price) => {
    const { id } = await create({ price });
    expect((await app.api.get<Product>(`/api/v1/products/${id}`)).body.price).toBe(price);
  });

  it('takes the largest stock', async () => {
    expect((await create({ stock: 2_147_483_647 })).stock).toBe(2_147_483_647);
  });

  it.each([
    [{ name: '' }, 'body.name string_too_short'],
    [{ name: 'n'.repeat(201) }, 'body.name string_too_long'],
    [{ name: null }, 'body.name string_type'],
    [{ name: undefined }, 'body.name missing'],
    [{ price: -0.01 }, 'body.price greater_than_equal'],
    [{ price: 10_000_000 }, 'body.price less_than_equal'],
    [{ price: 1.005 }, 'body.price decimal_max_places'],
    [{ price: '5' }, 'body.price float_type'],
    [{ price: null }, 'body.price float_type'],
    [{ stock: -1 }, 'body.stock greater_than_equal'],
    [{ stock: 2_147_483_648 }, 'body.stock less_than_equal'],
    [{ stock: 1.5 }, 'body.stock int_from_float'],
    [{ stock: true }, 'body.stock int_type'],
    [{ stock: undefined }, 'body.stock missing'],
    [{ description: 7 }, 'body.description string_type'],
    [{ description: 'd'.repeat(10_001) }, 'body.description string_too_long'],
    [{ color: 'a\0b' }, 'body.color string_unicode'],
    [{ size: '\ud800' }, 'body.size string_unicode'],
  ])('responds with 422 to %j', async (wrong, fault) => {
    const { status, body } = await app.api.post('/api/v1/products/', { json: { ...shirt, ...wrong } });
    expect(status).toBe(422);
    expect(faultsOf(body)).toEqual([fault]);
  });

  it('reports every problem at once', async () => {
    const { body } = await app.api.post('/api/v1/products/', { json: { price: 'x' } });
    expect(faultsOf(body)).toEqual(['body.name missing', 'body.price float_type', 'body.stock missing']);
  });

  it('sends four statements in a transaction: the product, its reading, its entry in the audit log and its event', async () => {
    expect(await statementsOf(() => create())).toHaveLength(6);
  });
});

describe('GET /api/v1/products/{product_id}', () => {
  it.each(nowhere.slice(0, -1))('responds with 404 to the id %s', async (id) => {
    const { status, body } = await app.api.get(`/api/v1/products/${id}`);
    expect(status).toBe(404);
    expect(body).toEqual({ detail: 'Product not found', code: 'not_found' });
  });

  it.each(['1e2', 'abc', '1.5', '%00', 'NaN', '0x1'])('responds with 422 to the id %s', async (id) => {
    const { status, body } = await app.api.get(`/api/v1/products/${id}`);
    expect(status).toBe(422);
    expect(faultsOf(body)).toEqual(['path.product_id int_parsing']);
  });

  it('responds with 404 once the product is deleted', async () => {
    const { id } = await create();
    await remove(id);
    expect((await app.api.get(`/api/v1/products/${id}`)).status).toBe(404);
  });

  it('sends one statement', async () => {
    const { id } = await create();
    const read = () => app.api.get(pastTheCache(`/api/v1/products/${id}`));
    expect(await statementsOf(read)).toEqual(['catalogue.by-id']);
  });
});

describe('PUT /api/v1/products/{product_id}', () => {
  it('changes the given fields and leaves the rest', async () => {
    const before = await create({ color: 'red', description: 'Light' });
    const { status, body } = await app.api.put<Product>(`/api/v1/products/${before.id}`, {
      json: { price: 12.5, image_url: '/uploads/product/b.png' },
    });
    expect(status).toBe(200);
    const image_url = '/uploads/product/b.png';
    expect(body).toEqual({ ...before, price: 12.5, image_url, images: [{ url: image_url, alt: null }] });
  });

  it('clears nullable fields by null, and keeps the others', async () => {
    const before = await create({ color: 'red', description: 'Light' });
    const json = { color: null, description: null, name: null, price: null, stock: null };
    const { status, body } = await app.api.put<Product>(`/api/v1/products/${before.id}`, { json });
    expect(status).toBe(200);
    expect(body).toEqual({ ...before, color: null, description: null });
  });

  it.each([{}, { unknown: 1 }, { name: null }])('returns the unchanged product for %j', async (json) => {
    const before = await create();
    const { status, body } = await app.api.put<Product>(`/api/v1/products/${before.id}`, { json });
    expect(status).toBe(200);
    expect(body).toEqual(before);
  });

  it('keeps id and time of creation, whatever the body', async () => {
    const before = await create();
    const json = { id: 1, created_at: '2000-01-01T00:00:00Z', deleted_at: '2000-01-01T00:00:00Z', name: 'New' };
    const { body } = await app.api.put<Product>(`/api/v1/products/${before.id}`, { json });
    expect(body).toEqual({ ...before, name: 'New' });
  });

  it.each([{ name: 'Shirt' }, {}])('responds with 404 to %j for an unknown product', async (json) => {
    for (const id of nowhere.slice(0, -1)) {
      expect((await app.api.put(`/api/v1/products/${id}`, { json })).status).toBe(404);
    }
  });

  it('responds with 404 once the product is deleted', async () => {
    const { id } = await create();
    await remove(id);
    expect((await app.api.put(`/api/v1/products/${id}`, { json: { stock: 1 } })).status).toBe(404);
  });

  it('changes nothing when one field is wrong', async () => {
    const before = await create();
    const { status, body } = await app.api.put(`/api/v1/products/${before.id}`, { json: { name: 'New', price: -1 } });
    expect(status).toBe(422);
    expect(faultsOf(body)).toEqual(['body.price greater_than_equal']);
    expect((await app.api.get<Product>(`/api/v1/products/${before.id}`)).body).toEqual(before);
  });

  it('keeps both of two concurrent changes to different fields', async () => {
    const { id } = await create();
    const changes = [{ name: 'At once' }, { price: 1.5 }, { stock: 77 }, { color: 'blue' }];
    await Promise.all(changes.map((json) => app.api.put(`/api/v1/products/${id}`, { json })));
    const { body } = await app.api.get<Product>(`/api/v1/products/${id}`);
    expect(body).toMatchObject(Object.assign({}, ...changes));
  });
});

describe('GET /api/v1/products/', () => {
  let ids: number[];
  beforeAll(async () => {
    await app.database.rows('UPDATE products SET deleted_at = now()');
    ids = [];
    for (let n = 0; n < 25; n++) ids.push((await create({ name: `Product ${n}` })).id);
    await remove(ids[3] ?? 0);
    ids.splice(3, 1);
  });

  it('returns ten products in the order of ids, without deleted ones', async () => {
    expect(await idsOf('')).toEqual(ids.slice(0, 10));
  });

  it('returns the requested page', async () => {
    expect(await idsOf('?skip=5&limit=7')).toEqual(ids.slice(5, 12));
    expect(await idsOf('?skip=20&limit=100')).toEqual(ids.slice(20));
  });

  it('returns every product once over all pages', async () => {
    const pages = await Promise.all([0, 6, 12, 18, 24].map((skip) => idsOf(`?skip=${skip}&limit=6`)));
    expect(pages.flat()).toEqual(ids);
  });

  it('returns an empty list beyond the end', async () => {
    expect(await idsOf('?skip=24')).toEqual([]);
    expect(await idsOf('?skip=99999999999999999999')).toEqual([]);
  });

  it.each([
    ['skip=-1', 'query.skip greater_than_equal'],
    ['skip=x', 'query.skip int_parsing'],
    ['skip=', 'query.skip int_parsing'],
    ['limit=0', 'query.limit greater_than_equal'],
    ['limit=101', 'query.limit less_than_equal'],
    ['limit=1.5', 'query.limit int_parsing'],
  ])('responds with 422 to %s', async (query, fault) => {
    const { status, body } = await app.api.get(`/api/v1/products/?${query}`);
    expect(status).toBe(422);
    expect(faultsOf(body)).toEqual([fault]);
  });

  it('sends one statement', async () => {
    expect(await statementsOf(() => app.api.get(pastTheCache('/api/v1/products/')))).toEqual(['catalogue.page']);
  });
});
