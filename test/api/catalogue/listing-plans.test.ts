import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ListSort } from '../../../src/store/catalogue/listings.dto.js';
import { type ListingFilter, listingsPage, mostCounted } from '../../../src/store/catalogue/listings.statements.js';
import { readsOf, rowsIn } from '../../support/explain.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

const count = 40_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.rows(
    `INSERT INTO products (name, price, stock, color, size)
     SELECT 'Shirt ' || n, n % 1000, 9, CASE WHEN n % 1000 = 0 THEN 'Mauve' WHEN n % 2 = 0 THEN 'Red' ELSE 'Blue' END, 'M'
       FROM generate_series(1, ${count}) AS n`,
  );
  await database.rows('VACUUM ANALYZE');
}, 300_000);
afterAll(() => database.drop());

const everything: ListingFilter = {
  all: [],
  any: null,
  minPrice: undefined,
  maxPrice: undefined,
  onGroup: false,
  words: null,
};
const sorts: ListSort[] = ['newest', 'price', '-price', 'rating', 'name'];
const filters: [name: string, matches: number, filter: Partial<ListingFilter>][] = [
  ['nothing', count, {}],
  ['what is there', count, { all: ['stock'] }],
  ['half of the colors', count / 2, { all: ['color:blue'] }],
  ['a rare color', count / 1_000, { all: ['color:mauve'] }],
  ['few prices', count / 10, { minPrice: 900, maxPrice: 999 }],
  ['the higher prices', count / 2, { minPrice: 500 }],
  ['the lower prices', count / 2, { maxPrice: 499 }],
  ['a color at the higher prices', count / 4, { all: ['color:blue'], minPrice: 500, maxPrice: 998 }],
];
const all = filters.flatMap(([name, matches, filter]) => sorts.map((sort) => [name, sort, matches, filter] as const));

describe(`A list of ${count} products`, () => {
  it.each(all)('filtered by %s and sorted by %s reads little', async (_, sort, matches, filter) => {
    const { sql, values } = listingsPage({ ...everything, ...filter }, sort, 0, 20);
    const reads = await readsOf(database, sql, values);
    // What is few is counted, and sorted by itself; of more, so many are counted, and the order is walked.
    const most = matches > mostCounted ? mostCounted + 1_000 : 4 * matches + 500;
    expect(rowsIn(reads)).toBeGreaterThan(20);
    expect(rowsIn(reads)).toBeLessThanOrEqual(most);
  });
});
