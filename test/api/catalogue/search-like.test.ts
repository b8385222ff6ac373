import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Product } from '../../../src/store/catalogue/catalogue.shapes.js';
import { insertAdmin, type InsertedUser } from '../../support/accounts.js';
import { pastTheCache } from '../../support/past-the-cache.js';
import { statementsOf } from '../../support/statement-count.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let admin: InsertedUser;
beforeAll(async () => {
  app = await startTestApp();
  admin = await insertAdmin(app);
  await app.database.rows(
    `INSERT INTO products (name, description, price, stock) VALUES
       ('Linen shirt', 'Loose, of washed linen', 1, 1),
       ('T-shirt', 'Of combed cotton piqué', 1, 1),
       ('Desk lamp', 'A lamp of oak, its shade of linen', 1, 1),
       ('Écharpe', 'Strümpfe und Größen: 38–46. Smørrebrød', 1, 1),
       ('Waxed jacket', 'Keeps the rain out', 1, 1),
       ('Candle', E'Burns\\nforty hours', 1, 1),
       ('Cafe\u0301 cup', 'For espresso', 1, 1),
       ('Long belt', NULL, 1, 1)`,
  );
});
afterAll(() => app.close());

async function search(q: string, page = ''): Promise<string[]> {
  // Products are changed beside the service here.
  const path = pastTheCache(`/api/v1/products/search/?q=${encodeURIComponent(q)}${page}`);
  const { status, body } = await app.api.get<Product[]>(path);
  expect(status).toBe(200);
  return body.map(({ name }) => name);
}

describe('GET /api/v1/products/search/ as people type', () => {
  it.each([
    ['linen lamp', ['Desk lamp']],
    ['lamp linen', ['Desk lamp']],
    ['lamp ', ['Desk lamp']],
    ['  linen   shirt\t', ['Linen shirt']],
    ['LINEN', ['Linen shirt', 'Desk lamp']],
    ['shirt', ['Linen shirt', 'T-shirt']],
    ['t shirt', ['Linen shirt', 'T-shirt']],
    ['t-shirt', ['T-shirt']],
    ['burns forty', ['Candle']],
  ])('finds by "%s" the products with all its words, in any order', async (q, names) => {
    expect(await search(q)).toEqual(names);
  });

  it.each([
    ['pique', 'T-shirt'],
    ['PIQUÉ', 'T-shirt'],
    ['echarpe', 'Écharpe'],
    ['ÉCHARPE', 'Écharpe'],
    ['e\u0301charpe', 'Écharpe'],
    ['caf\u00e9 cup', 'Cafe\u0301 cup'],
    ['cafe', 'Cafe\u0301 cup'],
    ['strumpfe', 'Écharpe'],
    ['grossen', 'Écharpe'],
    ['smorrebrod', 'Écharpe'],
  ])('ignores the accents of "%s"', async (q, name) => {
    expect(await search(q)).toEqual([name]);
  });

  it('puts the exact name first, whatever its blanks, its case and its accents', async () => {
    expect((await search(' T-SHIRT '))[0]).toBe('T-shirt');
    expect((await search('linen  SHIRT'))[0]).toBe('Linen shirt');
  });

  it.each([
    ['shirts', ['Linen shirt', 'T-shirt']],
    ['linnen', ['Linen shirt', 'Desk lamp']],
    ['jakcet', ['Waxed jacket']],
    ['jackets', ['Waxed jacket']],
    ['candel', ['Candle']],
    ['belts', ['Long belt']],
    ['linnen lampe', ['Desk lamp']],
    ['linen lampe', ['Desk lamp']],
    ['linen-shirt', ['Linen shirt']],
    ['linnen-shirts', ['Linen shirt']],
    ['tshirt', ['T-shirt']],
    ['espreso', ['Cafe\u0301 cup']],
    ['écharpes', ['Écharpe']],
  ])('finds by "%s", which no product contains, products with similar words', async (q, names) => {
    expect(await search(q)).toEqual(names);
  });

  it('searches for similar words only when no product contains the word', async () => {
    const only = await insertOne('Shirts hanger', null);
    expect(await search('shirts')).toEqual(['Shirts hanger']);
    await remove(only);
    expect(await search('shirts')).toEqual(['Linen shirt', 'T-shirt']);
  });

  it('pages through similar products without overlap, and returns none beyond the last page', async () => {
    const pages = await Promise.all([0, 1, 2].map((skip) => search('shirts', `&skip=${skip}&limit=1`)));
    expect(pages).toEqual([['Linen shirt'], ['T-shirt'], []]);
    // Beyond the last product with the word there is nothing, not even similar products.
    expect(await search('shirt', '&skip=2')).toEqual([]);
  });

  it.each(['zzyzx', 'qqq www', '%', '_', '\\', '---', '😀', 'harmonica'])('finds nothing by "%s"', async (q) => {
    expect(await search(q)).toEqual([]);
  });

  it.each(['%20', '%20%09%20', '%C2%A0', '%E2%80%83'])(
    'responds with 422 to a text of blanks alone: "%s"',
    async (q) => {
      const { status, body } = await app.api.get(`/api/v1/products/search/?q=${q}`);
      expect(status).toBe(422);
      expect(body).toMatchObject({ detail: [{ loc: ['query', 'q'], type: 'string_pattern_mismatch' }] });
    },
  );

  it('takes one statement when it finds something, and a bounded number when it does not', async () => {
    expect(await statementsOf(() => search('linen lamp'))).toHaveLength(1);
    expect(await statementsOf(() => search('pique'))).toHaveLength(1);
    expect((await statementsOf(() => search('zzyzx'))).length).toBeLessThanOrEqual(2);
    const many = Array.from({ length: 28 }, (_, n) => `linnen${n}`)
      .join(' ')
      .slice(0, 200);
    expect((await statementsOf(() => search(many))).length).toBeLessThanOrEqual(5);
  });

  it('looks for the first ten words, and for the exact name with all of them', async () => {
    const name = 'one two three four five six seven eight nine ten eleven';
    const [other, exact] = [await insertOne(`${name} more`, null), await insertOne(name, null)];
    expect(await search(name)).toEqual([name, `${name} more`]);
    expect(await search(`${name} zzyzx`)).toEqual([`${name} more`, name]);
    expect(await search(`zzyzx ${name}`)).toEqual([]);
    await Promise.all([remove(other), remove(exact)]);
  });

  it('takes as many words as fit', async () => {
    expect(await search(Array.from({ length: 100 }, (_, n) => String.fromCodePoint(0x4e00 + n)).join(' '))).toEqual([]);
    expect(await search(Array.from({ length: 28 }, () => 'linen').join(' '))).toEqual(['Linen shirt', 'Desk lamp']);
  });
});

const insertOne = async (name: string, description: string | null) => {
  const rows = await app.database.rows<{ id: number }>(
    'INSERT INTO products (name, description, price, stock) VALUES ($1, $2, 1, 1) RETURNING id',
    [name, description],
  );
  return rows[0]?.id ?? 0;
};
const remove = (id: number) => app.api.delete(`/api/v1/admin/products/${id}`, { token: admin.token });

describe('The search index', () => {
  const indexed = (id: number) =>
    app.database.rows('SELECT name_key, text_key FROM product_search WHERE product_id = $1', [id]);

  it('follows a product through its life', async () => {
    const json = { name: 'Wool  Poncho', description: 'Of ALPACA', price: 1, stock: 1 };
    const { body } = await app.api.post<Product>('/api/v1/products/', { json });
    expect(await search('poncho alpaca')).toEqual(['Wool  Poncho']);
    expect(await indexed(body.id)).toEqual([{ name_key: 'wool poncho', text_key: 'wool  poncho\nof alpaca' }]);
    await app.api.put(`/api/v1/products/${body.id}`, { json: { name: 'Cape' } });
    expect(await search('cape alpaca')).toEqual(['Cape']);
    expect(await search('cape poncho')).toEqual([]);
    await app.api.put(`/api/v1/products/${body.id}`, { json: { description: null } });
    expect(await indexed(body.id)).toEqual([{ name_key: 'cape', text_key: 'cape' }]);
    await remove(body.id);
    expect(await search('cape')).toEqual([]);
    expect(await indexed(body.id)).toEqual([]);
  });

  it('is not touched by changes of the stock', async () => {
    const id = await insertOne('Counted', 'once');
    const version = () => app.database.rows('SELECT ctid, xmin FROM product_search WHERE product_id = $1', [id]);
    const before = await version();
    await app.database.rows('UPDATE products SET stock = 5, price = 2 WHERE id = $1', [id]);
    expect(await version()).toEqual(before);
    await app.database.rows('DELETE FROM products WHERE id = $1', [id]);
    expect(await indexed(id)).toEqual([]);
  });

  it('accepts concurrent products with the same words', async () => {
    const names = Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? 'Anorak zephyr quilt' : 'Quilt zephyr anorak'));
    const answers = await Promise.all(
      names.map((name) => app.api.post('/api/v1/products/', { json: { name, price: 1, stock: 1 } })),
    );
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 201));
    expect(await search('zephir', '&limit=100')).toHaveLength(20);
  });
});
