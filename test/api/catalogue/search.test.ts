import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { Product } from '../../../src/store/catalogue/catalogue.dto.js';
import { pastTheCache } from '../../support/past-the-cache.js';
import { statementsOf } from '../../support/statement-count.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

interface Goods {
  id: number;
  name: string;
  description: string | null;
}

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

/** Replaces the catalog by products with these names and descriptions, and returns their ids in that order. */
async function stock(goods: [name: string, description?: string][]): Promise<number[]> {
  await app.database.rows('DELETE FROM products');
  const rows = await app.database.rows<{ id: number }>(
    `INSERT INTO products (name, description, price, stock)
     SELECT name, description, 1, 1 FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS t (name, description, n)
      ORDER BY n RETURNING id`,
    [goods.map(([name]) => name), goods.map(([, description]) => description ?? null)],
  );
  return rows.map(({ id }) => id);
}

async function search(q: string, page = ''): Promise<number[]> {
  const path = `/api/v1/products/search/?q=${encodeURIComponent(q)}${page}`;
  // The catalog is changed beside the service here.
  const { status, body } = await app.api.get<Product[]>(pastTheCache(path));
  expect(status).toBe(200);
  return body.map(({ id }) => id);
}

describe('GET /api/v1/products/search/', () => {
  it('finds words anywhere in the name or the description, ignoring case', async () => {
    const [shirt = 0, , scarf = 0] = await stock([['Linen Shirt'], ['Trousers'], ['Scarf', 'Of fine lINEN']]);
    expect(await search('LiNeN')).toEqual([shirt, scarf]);
    expect(await search('nen sh')).toEqual([shirt]);
    expect(await search('sh nen')).toEqual([shirt]);
  });

  it('folds letters beyond ASCII', async () => {
    const [id] = await stock([['Écharpe ÄRMEL']]);
    expect(await search('écharpe ärm')).toEqual([id]);
  });

  it('returns the exact name first, then names, then descriptions, each by id', async () => {
    const [d1, n1, e1, d2, e2, n2] = await stock([
      ['Belt', 'goes with a scarf'],
      ['Long scarf', 'a scarf'],
      ['Scarf'],
      ['Coat', 'scarf included'],
      ['SCARF', 'scarf'],
      ['scarf, long'],
    ]);
    expect(await search('scarf')).toEqual([e1, e2, n1, n2, d1, d2]);
  });

  it('keeps that order across pages', async () => {
    await stock(
      Array.from({ length: 30 }, (_, n): [string, string?] => [
        n % 3 === 0 ? 'scarf' : n % 3 === 1 ? `scarf ${n}` : `belt ${n}`,
        'with scarf',
      ]),
    );
    const whole = await search('scarf', '&limit=100');
    const pages = await Promise.all([0, 7, 14, 21, 28].map((skip) => search('scarf', `&skip=${skip}&limit=7`)));
    expect(whole).toHaveLength(30);
    expect(pages.flat()).toEqual(whole);
  });

  it.each(['%', '_', '\\', '100%', 'a_b', 'a\\b', '\\%'])('takes %s literally', async (q) => {
    const [exact, within] = await stock([[q], [`x${q}x`], ['100 axb ab 1000'], ['plain']]);
    expect(await search(q)).toEqual([exact, within]);
  });

  it('does not find deleted products', async () => {
    await stock([['Scarf', 'scarf']]);
    await app.database.rows('UPDATE products SET deleted_at = now()');
    expect(await search('scarf')).toEqual([]);
  });

  it('returns an empty list beyond the last match', async () => {
    await stock([['Scarf']]);
    expect(await search('scarf', '&skip=1')).toEqual([]);
    expect(await search('scarf', '&skip=9007199254740991&limit=100')).toEqual([]);
  });

  it.each([
    ['', 'query.q missing'],
    ['q=', 'query.q string_too_short'],
    ['q=%20', 'query.q string_pattern_mismatch'],
    ['q=a%00b', 'query.q string_unicode'],
    [`q=${'a'.repeat(201)}`, 'query.q string_too_long'],
    ['q=a&skip=-1', 'query.skip greater_than_equal'],
    ['q=a&limit=101', 'query.limit less_than_equal'],
  ])('responds with 422 to "%s"', async (query, fault) => {
    const { status, body } = await app.api.get<{ detail: { loc: string[]; type: string }[] }>(
      `/api/v1/products/search/?${query}`,
    );
    expect(status).toBe(422);
    expect(body.detail.map(({ loc, type }) => `${loc.join('.')} ${type}`)).toEqual([fault]);
  });

  it('reports a missing text and a wrong page together', async () => {
    const { body } = await app.api.get<{ detail: unknown[] }>('/api/v1/products/search/?skip=x');
    expect(body.detail).toHaveLength(2);
  });

  it('sends one statement', async () => {
    await stock([['Scarf']]);
    expect(await statementsOf(() => search('carf'))).toHaveLength(1);
  });

  it('fills a page with names by a cached plan, once their number is known', async () => {
    const all = await stock([
      ['long shawl'],
      ['belt', 'for a shawl'],
      ['shawl'],
      ...Array.from({ length: 8 }, (_, n): [string] => [`${n} Shawl long`]),
    ]);
    const [first = 0, belt = 0, exact = 0, ...others] = all;
    const expected = [exact, first, ...others, belt];
    for (const q of ['shawl', 'SHAWL', 'sha', 'long shawl']) await search(q, '&limit=2');
    const sent = await statementsOf(async () => {
      expect(await search('shawl', '&limit=4')).toEqual(expected.slice(0, 4));
      expect(await search('shawl', '&skip=4&limit=4')).toEqual(expected.slice(4, 8));
      expect(await search('SHAWL', '&skip=6&limit=4')).toEqual(expected.slice(6, 10));
      expect(await search('sha', '&limit=3')).toEqual([first, exact, others[0]]);
      expect(await search('long shawl', '&limit=3')).toEqual([first, ...others.slice(0, 2)]);
    });
    const names = sent.map((name) => name.replace(/-\d+$/, ''));
    // A pooler that keeps no plans leaves it to the statement for all words.
    const isKept = process.env['TEST_POOLER_URL'] === undefined;
    if (isKept) expect(names).toEqual(names.map(() => 'catalogue.search-names'));
    else expect(names).not.toContain('catalogue.search-names');
    expect(await search('shawl', '&skip=8&limit=4')).toEqual(expected.slice(8, 12));
    expect(await search('shawl', '&limit=100')).toEqual(expected);
  });

  it('falls back when names no longer fill the page', async () => {
    await stock(Array.from({ length: 9 }, (_, n): [string] => [`stole ${n}`]));
    await search('stole', '&limit=2');
    const [belt, stole] = await stock([['belt', 'for a stole'], ['stole']]);
    expect(await search('stole', '&limit=2')).toEqual([stole, belt]);
    expect(await statementsOf(() => search('stole', '&limit=2'))).not.toContain('catalogue.search-names-1');
  });

  it('finds what a literal reading of the rule finds, and nothing where that finds nothing', async () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'B', '%', '_', '\\', ' '), minLength: 1, maxLength: 4 });
    const goods = fc.array(fc.tuple(letters, fc.option(letters, { nil: undefined })), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(goods, letters, fc.nat(4), fc.integer({ min: 1, max: 5 }), async (given, q, skip, limit) => {
        const ids = await stock(given);
        const products = given.map(([name, description], n): Goods => {
          return { id: ids[n] ?? 0, name, description: description ?? null };
        });
        const expected = ranked(products, q);
        fc.pre(q.trim() !== '');
        await search(q, '&limit=1');
        expect(await search(q, `&skip=${skip}&limit=${limit}`)).toEqual(expected.slice(skip, skip + limit));
      }),
      { numRuns: 60 },
    );
  });
});

function ranked(products: Goods[], q: string): number[] {
  const words = q
    .toLowerCase()
    .split(' ')
    .filter((word) => word !== '');
  const plain = (text: string) => text.toLowerCase().trim().replaceAll(/ +/g, ' ');
  const hasAll = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const rank = ({ name, description }: Goods): number => {
    if (plain(name) === plain(q)) return 0;
    if (hasAll(name)) return 1;
    return hasAll(`${name}\n${description ?? ''}`) ? 2 : 3;
  };
  return products
    .filter((product) => rank(product) < 3)
    .sort((one, other) => rank(one) - rank(other) || one.id - other.id)
    .map(({ id }) => id);
}
