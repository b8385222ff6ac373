import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Product, RelatedProducts } from '../../../src/store/catalogue/catalogue.dto.js';
import type { ProductFacets } from '../../../src/store/catalogue/listings.dto.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const group = '7b0c3c52-5a3f-4f6e-9d8e-1f3f6a3e2b11';

let app: TestApp;
let ids: Record<string, number>;
beforeAll(async () => {
  app = await startTestApp();
  const rows = await app.database.rows<{ id: number; name: string }>(
    `INSERT INTO products (name, description, price, stock, color, size, material, group_id, status, review_count, rating_sum)
     VALUES ('Lamp red', 'Oak', 20, 5, 'Red', 'M', 'oak', $1, 'published', 0, 0),
            ('Lamp blue', 'Oak', 18, 0, 'blue', 'M', 'oak', $1, 'published', 2, 9),
            ('Chair', 'A chair beside the lamp', 90, 2, 'red', NULL, 'oak', NULL, 'published', 1, 5),
            ('Pan', NULL, 30, 7, NULL, 'L', 'iron', NULL, 'published', 0, 0),
            ('Secret lamp', NULL, 10, 7, 'red', 'M', 'oak', NULL, 'draft', 0, 0)
     RETURNING id, name`,
    [group],
  );
  ids = Object.fromEntries(rows.map(({ id, name }) => [name, id]));
  await app.database.rows(
    `INSERT INTO categories (slug, name) VALUES ('home', 'Home'), ('kitchen', 'Kitchen');
     INSERT INTO categories (slug, name, parent_id) SELECT 'lamps', 'Lamps', id FROM categories WHERE slug = 'home';
     INSERT INTO product_categories (product_id, category_id)
     SELECT p.id, c.id FROM products p JOIN categories c
         ON c.slug = CASE WHEN p.name LIKE '%amp%' THEN 'lamps' WHEN p.name = 'Chair' THEN 'home' ELSE 'kitchen' END`,
  );
});
afterAll(() => app.close());

async function names(query: string): Promise<string[]> {
  const { status, body } = await app.api.get<Product[]>(`/api/v1/products/${query}`);
  expect(status).toBe(200);
  return body.map(({ name }) => name);
}

describe.each(['?', 'search/?q=lamp&'])('GET /api/v1/products/%s', (address) => {
  const isSearch = address.includes('search');
  const expected = (all: string[]) => (isSearch ? all.filter((name) => name !== 'Pan') : all);

  it.each([
    ['', ['Lamp red', 'Lamp blue', 'Chair', 'Pan']],
    ['color=RED', ['Lamp red', 'Chair']],
    ['size=m', ['Lamp red', 'Lamp blue']],
    ['material=oak&color=blue', ['Lamp blue']],
    ['material=iron', ['Pan']],
    ['category=home', ['Lamp red', 'Lamp blue', 'Chair']],
    ['category=lamps', ['Lamp red', 'Lamp blue']],
    ['category=nowhere', []],
    ['min_price=20&max_price=30', ['Lamp red', 'Pan']],
    ['in_stock=true', ['Lamp red', 'Chair', 'Pan']],
    ['on_group=true', ['Lamp red', 'Chair', 'Pan']],
    ['on_group=true&sort=price', ['Lamp blue', 'Pan', 'Chair']],
    ['sort=newest', ['Pan', 'Chair', 'Lamp blue', 'Lamp red']],
    ['sort=price', ['Lamp blue', 'Lamp red', 'Pan', 'Chair']],
    ['sort=-price', ['Chair', 'Pan', 'Lamp red', 'Lamp blue']],
    ['sort=rating', ['Chair', 'Lamp blue', 'Pan', 'Lamp red']],
    ['sort=name', ['Chair', 'Lamp blue', 'Lamp red', 'Pan']],
  ])('answers %s', async (query, all) => {
    expect(await names(`${address}${query}`)).toEqual(expected(all));
  });

  it('counts what is left, and pages it', async () => {
    const { headers } = await app.api.get(`/api/v1/products/${address}material=oak&limit=1`);
    expect(headers.get('x-total-count')).toBe('3');
    expect(await names(`${address}material=oak&limit=1&skip=1`)).toEqual(['Lamp blue']);
    expect(await names(`${address}material=oak&skip=7`)).toEqual([]);
  });

  it.each(['sort=cheap', 'min_price=-1', 'min_price=x', 'in_stock=perhaps', 'category=No%20slug', 'color='])(
    'refuses %s',
    async (query) => {
      expect((await app.api.get(`/api/v1/products/${address}${query}`)).status).toBe(422);
    },
  );
});

describe('A search with filters', () => {
  it('lists matches by name before those by description', async () => {
    await app.database.rows(`UPDATE products SET description = 'Beside a lamp' WHERE name = 'Pan'`);
    expect(await names('search/?q=lamp&min_price=1')).toEqual(['Lamp red', 'Lamp blue', 'Chair', 'Pan']);
    expect(await names('search/?q=lamp%20blue&min_price=1')).toEqual(['Lamp blue']);
    await app.database.rows(`UPDATE products SET description = NULL WHERE name = 'Pan'`);
  });
});

describe('A draft', () => {
  it('is in no public answer', async () => {
    const id = ids['Secret lamp'];
    const addresses = [`${id}`, 'by-slug/secret-lamp', `${id}/related`];
    for (const address of addresses) expect((await app.api.get(`/api/v1/products/${address}`)).status).toBe(404);
    expect((await app.api.put(`/api/v1/products/${id}`, { json: { price: 1 } })).status).toBe(404);
    expect((await app.api.get(`/api/v1/reviews/product/${id}`)).status).toBe(404);
    expect(await names('filter/by-color?color=red')).not.toContain('Secret lamp');
    expect(await names('search/?q=secret')).toEqual([]);
    expect(await names('search/?q=secrett&similar=true')).toEqual([]);
  });
});

describe('GET /api/v1/products/facets', () => {
  const facets = async (query: string) => (await app.api.get<ProductFacets>(`/api/v1/products/facets${query}`)).body;

  it('counts all that the shop shows', async () => {
    expect(await facets('')).toEqual({
      total: 4,
      categories: [
        { slug: 'lamps', name: 'Lamps', count: 2 },
        { slug: 'home', name: 'Home', count: 1 },
        { slug: 'kitchen', name: 'Kitchen', count: 1 },
      ],
      colors: [
        { value: 'Red', count: 2 },
        { value: 'blue', count: 1 },
      ],
      sizes: [
        { value: 'M', count: 2 },
        { value: 'L', count: 1 },
      ],
      materials: [
        { value: 'oak', count: 3 },
        { value: 'iron', count: 1 },
      ],
      price: { min: 18, max: 90 },
      in_stock: 3,
    });
  });

  it('counts what filters and words leave, and groups as one', async () => {
    expect(await facets('?color=red&q=lamp')).toMatchObject({ total: 2, price: { min: 20, max: 90 } });
    expect(await facets('?category=lamps&on_group=true')).toMatchObject({
      total: 1,
      colors: [
        { value: 'Red', count: 1 },
        { value: 'blue', count: 1 },
      ],
    });
    expect(await facets('?category=nowhere')).toMatchObject({ total: 0, price: { min: null, max: null } });
  });
});

describe('GET /api/v1/products/{product_id}/related', () => {
  const related = async (name: string) =>
    (await app.api.get<RelatedProducts>(`/api/v1/products/${ids[name]}/related`)).body.products.map((one) => one.name);

  it('lists products of its categories, of other groups', async () => {
    await app.database.rows(
      `INSERT INTO product_categories (product_id, category_id)
       SELECT $1, id FROM categories WHERE slug IN ('home', 'lamps') ON CONFLICT DO NOTHING`,
      [ids['Pan']],
    );
    expect(await related('Lamp red')).toEqual(['Pan']);
    expect(await related('Chair')).toEqual(['Lamp blue', 'Pan']);
    expect((await app.api.get('/api/v1/products/2147483647/related')).status).toBe(404);
  });
});
