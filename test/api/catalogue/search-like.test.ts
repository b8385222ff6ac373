import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Product } from '../../../src/store/catalogue/catalogue.dto.js';
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

async function searched(q: string, more = ''): Promise<{ names: string[]; similar: string | null }> {
  // Products are changed beside the service here.
  const path = pastTheCache(`/api/v1/products/search/?q=${encodeURIComponent(q)}${more}`);
  const { status, body, headers } = await app.api.get<Product[]>(path);
  expect(status).toBe(200);
  return { names: body.map(({ name }) => name), similar: headers.get('x-similar') };
}

const search = async (q: string, more = '') => (await searched(q, more)).names;

const misspelt: [q: string, names: string[]][] = [
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
];

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

  it.each(misspelt)('finds nothing by "%s", which no product contains', async (q) => {
    expect(await searched(q)).toEqual({ names: [], similar: null });
    expect(await searched(q, '&similar=false')).toEqual({ names: [], similar: null });
  });

  it.each([
    'zzyzx',
    'qqq www',
    '%',
    '_',
    '\\',
    '---',
    '😀',
    'harmonica',
    'linenx',
    'shirtless linen',
    'lamplight',
    'candlestick',
    'waxwork',
    'beltway',
    'coffee',
    'espressos',
    'longest',
    // Accents alone, which do not count: all products would have them.
    '\u0301',
    '\u0301 \u20dd',
  ])('finds nothing by "%s"', async (q) => {
    expect(await searched(q)).toEqual({ names: [], similar: null });
    const path = `/api/v1/admin/products?search=${encodeURIComponent(q)}`;
    for (const address of [path, `${path}&low_stock=true`]) {
      expect((await app.api.get(address, { token: admin.token })).body).toEqual([]);
    }
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
    expect(await statementsOf(() => search('zzyzx'))).toHaveLength(1);
    expect((await statementsOf(() => search('zzyzx', '&similar=true'))).length).toBeLessThanOrEqual(2);
    const many = Array.from({ length: 28 }, (_, n) => `linnen${n}`)
      .join(' ')
      .slice(0, 200);
    expect(await statementsOf(() => search(many))).toHaveLength(1);
    expect((await statementsOf(() => search(many, '&similar=true'))).length).toBeLessThanOrEqual(5);
  });

  it('looks for every word, however many', async () => {
    const name = 'one two three four five six seven eight nine ten eleven';
    const [other, exact] = [await insertOne(`${name} more`, 'of_these 100%'), await insertOne(name, null)];
    expect(await search(name)).toEqual([name, `${name} more`]);
    expect(await search(`${name} of_these 100%`)).toEqual([`${name} more`]);
    for (const word of ['zzyzx', 'of-these', '_', '1000%', '\\']) {
      expect(await search(`${name} ${word}`)).toEqual(word === '_' ? [`${name} more`] : []);
      expect(await search(`${word} ${name}`)).toEqual(word === '_' ? [`${name} more`] : []);
    }
    for (const more of ['', '&low_stock=true']) {
      const path = `/api/v1/admin/products?search=${encodeURIComponent(`${name} zzyzx`)}${more}`;
      expect((await app.api.get(path, { token: admin.token })).body).toEqual([]);
    }
    await Promise.all([remove(other), remove(exact)]);
  });

  it('takes as many words as fit', async () => {
    expect(await search(Array.from({ length: 100 }, (_, n) => String.fromCodePoint(0x4e00 + n)).join(' '))).toEqual([]);
    expect(await search(Array.from({ length: 28 }, () => 'linen').join(' '))).toEqual(['Linen shirt', 'Desk lamp']);
  });
});

describe('GET /api/v1/products/search/ with similar=true', () => {
  const similar = (q: string, page = '') => searched(q, `&similar=true${page}`);

  it.each(misspelt)('finds by "%s", which no product contains, products with similar words', async (q, names) => {
    expect(await similar(q)).toEqual({ names, similar: 'true' });
  });

  it('searches for similar words only when no product contains the word', async () => {
    const only = await insertOne('Shirts hanger', null);
    expect(await similar('shirts')).toEqual({ names: ['Shirts hanger'], similar: null });
    await remove(only);
    expect(await similar('shirts')).toEqual({ names: ['Linen shirt', 'T-shirt'], similar: 'true' });
  });

  it('pages through similar products without overlap, and returns none beyond the last page', async () => {
    const pages = await Promise.all([0, 1, 2].map((skip) => similar('shirts', `&skip=${skip}&limit=1`)));
    expect(pages.map(({ names }) => names)).toEqual([['Linen shirt'], ['T-shirt'], []]);
    // Beyond the last product with the word there is nothing, not even similar products.
    expect(await similar('shirt', '&skip=2')).toEqual({ names: [], similar: null });
  });

  it.each(['zzyzx', '%', '_', '\\', '---', '😀', 'harmonica'])('finds nothing by "%s"', async (q) => {
    expect(await similar(q)).toEqual({ names: [], similar: null });
  });

  it('keeps its answers apart from those without, in memory too, and shows the header again from there', async () => {
    const path = '/api/v1/products/search/?q=jackets';
    for (const _ of [1, 2]) {
      expect((await app.api.get(path)).body).toEqual([]);
      const { headers, body } = await app.api.get<Product[]>(`${path}&similar=true`);
      expect([headers.get('x-similar'), body.map(({ name }) => name)]).toEqual(['true', ['Waxed jacket']]);
    }
  });

  it('holds for the list of the administration too', async () => {
    const list = (more: string) => app.api.get<Product[]>(`/api/v1/admin/products?search=jackets${more}`, admin);
    expect((await list('')).body).toEqual([]);
    const { headers, body } = await list('&similar=true');
    expect([headers.get('x-similar'), body.map(({ name }) => name)]).toEqual(['true', ['Waxed jacket']]);
  });

  it.each(['', 'maybe'])('responds with 422 to similar=%s', async (word) => {
    const { status, body } = await app.api.get(`/api/v1/products/search/?q=shirt&similar=${word}`);
    expect(status).toBe(422);
    expect(body).toMatchObject({ detail: [{ loc: ['query', 'similar'] }] });
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
    expect(await search('zephyr', '&limit=100')).toHaveLength(20);
    expect(await search('zephir', '&similar=true&limit=100')).toHaveLength(20);
  });
});
