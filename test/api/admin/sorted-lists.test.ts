import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Product } from '../../../src/store/catalogue/catalogue.dto.js';
import { sortedPage } from '../../../src/store/catalogue/catalogue.statements.js';
import { foundPages } from '../../../src/store/users/users.repository.js';
import { type User, userSorts } from '../../../src/store/users/users.dto.js';
import { insertAdmin, insertUser } from '../../support/accounts.js';
import { scansOf } from '../../support/explain.js';
import { insertProduct } from '../../support/goods.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let token: string;
beforeAll(async () => {
  app = await startTestApp();
  ({ token } = await insertAdmin(app, { username: 'zz-admin' }));
});
afterAll(() => app.close());

const get = <T extends object>(path: string) => app.api.get<T>(`/api/v1/admin/${path}`, { token });

describe('GET /api/v1/admin/products, sorted', () => {
  it('lists by name ignoring case, by price or by stock, in either direction', async () => {
    const cheap = await insertProduct(app, { name: 'beech', price: 1, stock: 7 });
    const dear = await insertProduct(app, { name: 'Ash', price: 9, stock: 7 });
    const middle = await insertProduct(app, { name: 'cedar', price: 5, stock: 0 });
    const ids = async (sort: string) => (await get<Product[]>(`products?sort=${sort}`)).body.map(({ id }) => id);
    expect(await ids('name')).toEqual([dear, cheap, middle]);
    expect(await ids('-name')).toEqual([middle, cheap, dear]);
    expect(await ids('price')).toEqual([cheap, middle, dear]);
    expect(await ids('-price')).toEqual([dear, middle, cheap]);
    expect(await ids('stock')).toEqual([middle, cheap, dear]);
    expect(await ids('-stock')).toEqual([dear, cheap, middle]);
    expect(await ids('-id')).toEqual([middle, dear, cheap]);
    const second = await get<Product[]>('products?sort=name&skip=1&limit=1');
    expect([second.body.map(({ id }) => id), second.headers.get('x-total-count')]).toEqual([[cheap], '3']);
  });

  it.each(['sort=size', 'sort=name&search=ash', 'sort=price&low_stock=true'])(
    'responds with 422 to %s',
    async (query) => {
      expect((await get(`products?${query}`)).status).toBe(422);
    },
  );
});

describe('GET /api/v1/admin/users, sorted', () => {
  it('lists by username ignoring case or by age, in either direction, filtered or not', async () => {
    for (const username of ['Berta', 'anna', 'carla']) await insertUser(app, { username });
    const names = async (query: string) => (await get<User[]>(`users?${query}`)).body.map(({ username }) => username);
    expect(await names('sort=username')).toEqual(['anna', 'Berta', 'carla', 'zz-admin']);
    expect(await names('sort=-username&role=user')).toEqual(['carla', 'Berta', 'anna']);
    expect(await names('sort=created_at')).toEqual(['zz-admin', 'Berta', 'anna', 'carla']);
    expect(await names('sort=-created_at')).toEqual(['carla', 'anna', 'Berta', 'zz-admin']);
    expect((await get('users?sort=email')).status).toBe(422);
  });
});

it('The sorted pages are read from an index in its order', async () => {
  await app.database.rows(`INSERT INTO users (id, username, email, password_hash)
    SELECT gen_random_uuid(), 'plan' || md5(n::text), n || '@plans.example', 'x' FROM generate_series(1, 20000) AS n`);
  await app.database.rows(
    `INSERT INTO products (name, price, stock) SELECT md5(n::text), n % 900, n % 700 FROM generate_series(1, 20000) AS n`,
  );
  await app.database.rows('VACUUM ANALYZE users, products');
  const indexes = { id: 'products_listed_idx', name: 'products_name_idx', price: 'products_price_idx' } as const;
  for (const direction of ['ASC', 'DESC'] as const) {
    for (const [sort, index] of Object.entries({ ...indexes, stock: 'products_low_stock_idx' })) {
      const scans = await scansOf(app.database, sortedPage(sort as keyof typeof indexes, direction), [0, 50]);
      expect(scans.join()).toContain(index);
    }
  }
  for (const sort of userSorts) {
    const { statement, values } = foundPages[sort].of([0, 50], {});
    const index = sort.endsWith('username') ? 'users_username_key' : 'users_newest_idx';
    expect((await scansOf(app.database, statement.text, values)).join()).toContain(index);
  }
});
