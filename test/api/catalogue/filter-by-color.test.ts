import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Product } from '../../../src/store/catalogue/catalogue.dto.js';
import { productSortFields } from '../../../src/store/catalogue/product-sort-fields.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  await app.database.rows(
    `INSERT INTO products (name, price, stock, color, created_at, deleted_at) VALUES
       ('cherry', 3, 5, 'Red', '2026-01-03', NULL),
       ('Apple', 9, 1, 'RED', '2026-01-02', NULL),
       ('banana', 3, 2, 'red', '2026-01-01', NULL),
       ('gone', 1, 1, 'red', '2026-01-01', now()),
       ('pale red', 1, 1, 'pale red', '2026-01-01', NULL),
       ('coat', 1, 1, 'Écru', '2026-01-01', NULL),
       ('plain', 1, 1, NULL, '2026-01-01', NULL)`,
  );
});
afterAll(() => app.close());

async function names(query: string): Promise<string[]> {
  const { status, body } = await app.api.get<Product[]>(`/api/v1/products/filter/by-color?${query}`);
  expect(status).toBe(200);
  return body.map(({ name }) => name);
}

describe('GET /api/v1/products/filter/by-color', () => {
  it('returns the products of the color, ignoring case, sorted by name', async () => {
    expect(await names('color=rEd')).toEqual(['Apple', 'banana', 'cherry']);
    expect(await names('color=%C3%A9cru')).toEqual(['coat']);
  });

  it('sorts names as people do: accented letters beside plain ones, case last of all', async () => {
    await app.database.rows(
      `INSERT INTO products (name, price, stock, color)
       SELECT name, 1, 1, 'mixed' FROM unnest($1::text[]) AS name`,
      [['Zebra', 'äpfel', 'apple', 'Öl', 'zoo', 'Éclair', 'Ostern', 'b-side', 'bside', 'B side', 'Apple 2', 'école']],
    );
    const sorted = ['äpfel', 'apple', 'Apple 2', 'B side', 'b-side', 'bside', 'Éclair', 'école', 'Öl', 'Ostern'];
    expect(await names('color=mixed')).toEqual([...sorted, 'Zebra', 'zoo']);
    expect(await names('color=mixed&sort=-name')).toEqual(['zoo', 'Zebra', ...sorted.toReversed()]);
  });

  it.each([
    ['name', ['Apple', 'banana', 'cherry']],
    ['-name', ['cherry', 'banana', 'Apple']],
    ['price', ['cherry', 'banana', 'Apple']],
    ['-price', ['Apple', 'cherry', 'banana']],
    ['created_at', ['banana', 'Apple', 'cherry']],
    ['-created_at', ['cherry', 'Apple', 'banana']],
    ['stock', ['Apple', 'banana', 'cherry']],
    ['-stock', ['cherry', 'banana', 'Apple']],
  ])('sorts by %s', async (sort, expected) => {
    expect(await names(`color=red&sort=${sort}`)).toEqual(expected);
  });

  it.each(productSortFields)('sorts by %s, in both directions, and what lacks it last', async (field) => {
    await app.database.rows(`DELETE FROM products WHERE color = 'each'`);
    await app.database.rows(
      `INSERT INTO products (name, description, price, stock, color, material, size, image_url, created_at) VALUES
         ('b', NULL, 2, 2, 'each', NULL, NULL, NULL, '2026-01-02'), ('c', 'z', 3, 3, 'each', 'Z', 'z', '/z', '2026-01-03'),
         ('a', 'y', 1, 1, 'each', 'y', 'y', '/y', '2026-01-01'), ('d', 'é', 4, 4, 'each', 'É', 'É', '/e', '2026-01-04')`,
    );
    const [up, down] = [await names(`color=each&sort=${field}`), await names(`color=each&sort=-${field}`)];
    const isOptional = ['description', 'material', 'size', 'image_url'].includes(field);
    if (field === 'color') expect([up, down]).toEqual([up, up]);
    else if (field === 'id')
      expect([up, down]).toEqual([
        ['b', 'c', 'a', 'd'],
        ['d', 'a', 'c', 'b'],
      ]);
    else if (isOptional)
      expect([up, down]).toEqual([
        ['d', 'a', 'c', 'b'],
        ['c', 'a', 'd', 'b'],
      ]);
    else
      expect([up, down]).toEqual([
        ['a', 'b', 'c', 'd'],
        ['d', 'c', 'b', 'a'],
      ]);
  });

  it('returns the requested page', async () => {
    expect(await names('color=red&skip=1&limit=1')).toEqual(['banana']);
  });

  it.each(['', 'blue', '%25', 're_'])('returns an empty list for the color "%s"', async (color) => {
    expect(await names(`color=${color}`)).toEqual([]);
  });

  it.each([
    ['', 'query.color missing'],
    ['color=a%00', 'query.color string_unicode'],
    [`color=${'a'.repeat(101)}`, 'query.color string_too_long'],
    ['color=red&sort=deleted_at', 'query.sort enum'],
    ['color=red&sort=', 'query.sort enum'],
    ['color=red&sort=--name', 'query.sort enum'],
    ['color=red&sort=name%20DESC', 'query.sort enum'],
    ['color=red&sort=constructor', 'query.sort enum'],
    ['color=red&limit=1001', 'query.limit less_than_equal'],
  ])('responds with 422 to "%s"', async (query, fault) => {
    const { status, body } = await app.api.get<{ detail: { loc: string[]; type: string }[] }>(
      `/api/v1/products/filter/by-color?${query}`,
    );
    expect(status).toBe(422);
    expect(body.detail.map(({ loc, type }) => `${loc.join('.')} ${type}`)).toEqual([fault]);
  });
});
