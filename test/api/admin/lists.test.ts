import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bestSellers, ordersByStatus } from '../../../src/store/admin/figures.repository.js';
import type { BestSeller, OrdersOfStatus } from '../../../src/store/admin/figures.dto.js';
import { lowStock } from '../../../src/store/catalogue/catalogue.statements.js';
import type { Product } from '../../../src/store/catalogue/catalogue.dto.js';
import type { AdminReview } from '../../../src/store/reviews/admin-reviews.dto.js';
import { foundTestimonials } from '../../../src/store/testimonials/testimonials.repository.js';
import { allReviews } from '../../../src/store/reviews/reviews.repository.js';
import { searchedPeople } from '../../../src/store/users/name-search.statements.js';
import { foundPages } from '../../../src/store/users/users.repository.js';
import type { User } from '../../../src/store/users/users.dto.js';
import type { Testimonial } from '../../../src/store/testimonials/testimonials.dto.js';
import { insertAdmin, type InsertedUser, insertUser } from '../../support/accounts.js';
import type { ApiAnswer } from '../../support/api-client.js';
import { scansOf } from '../../support/explain.js';
import { insertProduct } from '../../support/goods.js';
import { statementsOf } from '../../support/statement-count.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let admin: InsertedUser;
let user: InsertedUser;
beforeAll(async () => {
  app = await startTestApp();
  admin = await insertAdmin(app);
  user = await insertUser(app, { username: 'Zenobia.Palmyra', email: 'queen@palmyra.example' });
});
afterAll(() => app.close());

const get = <T extends object>(path: string, token = admin.token) => app.api.get<T>(`/api/v1/admin/${path}`, { token });
async function page<T>(asked: Promise<ApiAnswer<T[]>>): Promise<{ rows: T[]; total: string | null }> {
  const { status, body, headers } = await asked;
  expect([status, body]).toEqual([200, expect.any(Array)]);
  return { rows: body, total: headers.get('x-total-count') };
}
const paths = [
  'users',
  'reviews',
  'testimonials',
  'stats/orders-by-status',
  'stats/best-sellers',
  'products?low_stock=true',
];

it.each(paths)('GET /api/v1/admin/%s responds with 403 to a user', async (path) => {
  expect((await get(path, user.token)).status).toBe(403);
});

describe('GET /api/v1/admin/products, narrowed', () => {
  const ids = async (query: string) => (await page(get<Product[]>(`products?${query}`))).rows.map(({ id }) => id);

  it('finds what the shop finds; the low-stock list begins with the fewest', async () => {
    const some = await insertProduct(app, { name: 'Walnut stool', stock: 10 });
    const none = await insertProduct(app, { name: 'Walnut bench', stock: 0 });
    const many = await insertProduct(app, { name: 'Walnut table', stock: 11 });
    const other = await insertProduct(app, { name: 'Oak chair', stock: 5 });
    expect(await ids('search=walnut')).toEqual([some, none, many]);
    expect(await ids('low_stock=true')).toEqual([none, other, some]);
    expect(await ids('low_stock=true&search=WALNUT')).toEqual([none, some]);
    expect(await page(get<object[]>('products?low_stock=true&search=walnut&limit=1'))).toMatchObject({ total: '2' });
    expect(await page(get<object[]>('products?low_stock=true&skip=1&limit=1'))).toMatchObject({
      rows: [{ id: other }],
      total: '3',
    });
    expect(await ids('low_stock=true&search=%25')).toEqual([]);
    expect(await ids('search=walnut&limit=0')).toEqual([]);
  });

  it.each(['search=', 'search=%20', 'low_stock=perhaps', `search=${'x'.repeat(201)}`])(
    'responds with 422 to %s',
    async (query) => {
      expect((await get(`products?${query}`)).status).toBe(422);
    },
  );
});

describe('GET /api/v1/admin/users, narrowed', () => {
  const names = async (query: string) =>
    (await page(get<User[]>(`users?${query}`))).rows.map(({ username }) => username);

  it('finds accounts by part of the username or e-mail, ignoring case, and by role', async () => {
    expect(await names('search=NOBIA')).toEqual(['Zenobia.Palmyra']);
    expect(await names('search=queen%40')).toEqual(['Zenobia.Palmyra']);
    expect(await names('search=palmyra&role=admin')).toEqual([]);
    expect(await names('role=admin')).toEqual([admin.username]);
    expect(await names('search=_____')).toEqual([]);
    expect(await page(get<object[]>('users?role=user&skip=5'))).toEqual({ rows: [], total: '1' });
  });

  it('finds words of first and last names too, without case and accents, from two letters', async () => {
    const { token } = user;
    await app.api.put('/api/v1/users/me/profile', { token, json: { first_name: 'Señora', last_name: 'Wójcik' } });
    for (const name of ['wo', 'WOJCIK', 'se wo', 'wójcik señ', 'zenobia wo', 'palmyra']) {
      expect([name, await names(`search=${encodeURIComponent(name)}`)]).toEqual([name, ['Zenobia.Palmyra']]);
    }
    expect(await names('search=ojcik')).toEqual([]);
    expect(await names('search=senora%20x')).toEqual([]);
  });

  it.each(['search=a', 'role=king', 'search=%00%00%00'])('responds with 422 to %s', async (query) => {
    expect((await get(`users?${query}`)).status).toBe(422);
  });
});

describe('GET /api/v1/admin/reviews', () => {
  it('lists the reviews of all products newest first, or those of one rating or product', async () => {
    const [stool, bench] = [await insertProduct(app, { name: 'Stool' }), await insertProduct(app, { name: 'Bench' })];
    const review = (product: number, rating: number, by: InsertedUser) =>
      app.api.post<{ id: number }>(`/api/v1/reviews/product/${product}`, {
        token: by.token,
        json: { rating, title: 'Said', content: 'So' },
      });
    const made = [await review(stool, 5, user), await review(bench, 2, user), await review(stool, 2, admin)];
    const [first, second, third] = made.map(({ body }) => body.id);
    const list = async (query: string) => (await page(get<AdminReview[]>(`reviews${query}`))).rows;
    const ids = async (query: string) => (await list(query)).map(({ id }) => id);
    expect((await list('?rating=5'))[0]).toEqual({
      id: first,
      product_id: stool,
      product_name: 'Stool',
      user_id: user.id,
      username: user.username,
      rating: 5,
      title: 'Said',
      content: 'So',
      image_url: null,
      created_at: expect.any(String),
      answer: null,
      answered_at: null,
    });
    expect(await ids('')).toEqual([third, second, first]);
    expect(await ids('?rating=2')).toEqual([third, second]);
    expect(await ids(`?product_id=${stool}`)).toEqual([third, first]);
    expect(await ids(`?product_id=${stool}&rating=2`)).toEqual([third]);
    expect((await page(get<object[]>('reviews?limit=1&rating=2'))).total).toBe('2');
  });

  it('finds them by their text, product and author, ignoring case', async () => {
    const jug = await insertProduct(app, { name: 'Jug of Zürich' });
    const author = await insertUser(app, { username: 'iris.walden', first_name: 'Íris', last_name: 'Walden-Ortega' });
    const json = { rating: 3, title: 'Pours 50% better', content: 'Heavy_though, and GREEN' };
    const { body } = await app.api.post<{ id: number }>(`/api/v1/reviews/product/${jug}`, {
      token: author.token,
      json,
    });
    const ids = async (query: string) => (await page(get<AdminReview[]>(`reviews?${query}`))).rows.map(({ id }) => id);
    for (const search of [
      '50%',
      'BETTER heavy',
      'though, and green',
      'y_t',
      'zurich',
      'ÜRIC',
      's.wald',
      'iris orteg',
    ]) {
      expect([search, await ids(`search=${encodeURIComponent(search)}`)]).toEqual([search, [body.id]]);
    }
    for (const search of ['50_', '%%%', 'a%r', 'nobody at all', 'better' + '\\'.repeat(3)]) {
      expect([search, await ids(`search=${encodeURIComponent(search)}`)]).toEqual([search, []]);
    }
    expect(await ids(`search=better&rating=3&product_id=${jug}`)).toEqual([body.id]);
    expect(await ids('search=better&rating=4')).toEqual([]);
    expect(await page(get<object[]>('reviews?search=better&skip=5'))).toEqual({ rows: [], total: '1' });
  });

  it.each([
    'rating=0',
    'rating=6',
    'product_id=x',
    'search=ab',
    'search=%20ab%20',
    'search=%00%00%00',
    `search=${'x'.repeat(201)}`,
  ])('responds with 422 to %s', async (query) => {
    expect((await get(`reviews?${query}`)).status).toBe(422);
  });
});

describe('GET /api/v1/admin/testimonials', () => {
  it('lists all, newest first, and finds them by their text, guest and author', async () => {
    const author = await insertUser(app, { username: 'otto.brandt', last_name: 'Brändt' });
    const { body } = await app.api.post<Testimonial>('/api/v1/testimonials/', {
      token: author.token,
      json: { content: 'Came WRAPPED in 100% paper' },
    });
    const [guest] = await app.database.rows<{ id: number }>(
      `INSERT INTO testimonials (guest_name, content, rating, is_featured) VALUES ('Käthe Moll', 'Good', 5, true) RETURNING id`,
    );
    const list = async (query: string) => (await page(get<Testimonial[]>(`testimonials?${query}`))).rows;
    const ids = async (query: string) => (await list(query)).map(({ id }) => id);
    expect((await list('search=wrapped'))[0]).toEqual(body);
    expect(await ids('')).toEqual([guest?.id, body.id]);
    expect(await ids('featured_only=true')).toEqual([guest?.id]);
    for (const search of ['wrapped', '100%', 'otto.b', 'brandt']) {
      expect([search, await ids(`search=${encodeURIComponent(search)}`)]).toEqual([search, [body.id]]);
    }
    expect(await ids(`search=${encodeURIComponent('käthe MOLL')}`)).toEqual([guest?.id]);
    expect(await ids('search=wrapped&featured_only=true')).toEqual([]);
    expect(await ids('search=___')).toEqual([]);
    expect((await page(get<object[]>('testimonials?limit=1'))).total).toBe('2');
  });

  it.each(['search=ab', 'featured_only=perhaps', `search=${'x'.repeat(201)}`])(
    'responds with 422 to %s',
    async (query) => {
      expect((await get(`testimonials?${query}`)).status).toBe(422);
    },
  );
});

describe('The figures of the shop', () => {
  let [much, little]: [number, number] = [0, 0];
  beforeAll(async () => {
    [much, little] = [await insertProduct(app, { name: 'Much' }), await insertProduct(app, { name: 'Little' })];
    const sold = async (status: string, at: string, product: number, quantity: number, price: number) => {
      const [order] = await app.database.rows<{ id: number }>(
        'INSERT INTO orders (user_id, status, total_price, created_at) VALUES ($1, $2, 1, $3) RETURNING id',
        [user.id, status, at],
      );
      await app.database.rows(
        `INSERT INTO order_items (order_id, product_id, quantity, price, product_name) VALUES ($1, $2, $3, $4, 'x')`,
        [order?.id, product, quantity, price],
      );
    };
    await sold('paid', '2026-05-01T00:00:00Z', little, 2, 100.1);
    await sold('shipped', '2026-05-02T00:00:00Z', much, 3, 0.1);
    await sold('pending', '2026-05-02T12:00:00Z', much, 4, 0.2);
    await sold('cancelled', '2026-05-02T12:00:00Z', little, 50, 1);
    await sold('refunded', '2026-05-02T12:00:00Z', little, 50, 1);
    await sold('paid', '2026-05-03T00:00:00Z', little, 2_147_483_647, 1);
    await sold('paid', '2026-05-03T00:00:00Z', little, 2_147_483_647, 1);
  });

  it('list the best sellers of a period, without cancelled and refunded orders', async () => {
    const period = 'stats/best-sellers?from=2026-05-01T00:00:00Z&to=2026-05-03T00:00:00Z';
    const best = { product_id: much, name: 'Much', quantity: 7, revenue: 1.1 };
    expect((await get(period)).body).toEqual([
      best,
      { product_id: little, name: 'Little', quantity: 2, revenue: 200.2 },
    ]);
    expect((await get(`${period}&limit=1`)).body).toEqual([best]);
    expect(
      (await get<BestSeller[]>('stats/best-sellers?from=2026-05-03T00:00:00Z&to=2026-05-04T00:00:00Z')).body,
    ).toEqual([{ product_id: little, name: 'Little', quantity: 4_294_967_294, revenue: 4_294_967_294 }]);
    expect((await get('stats/best-sellers?to=2026-04-01T00:00:00Z')).body).toEqual([]);
  });

  it.each(['limit=0', 'limit=101', 'from=never', 'to=9'])('responds with 422 to %s', async (query) => {
    expect((await get(`stats/best-sellers?${query}`)).status).toBe(422);
  });

  it('count the orders of each status, largest count first', async () => {
    const { body } = await get<OrdersOfStatus[]>('stats/orders-by-status');
    expect(body).toEqual([
      { status: 'paid', orders: 3 },
      { status: 'cancelled', orders: 1 },
      { status: 'pending', orders: 1 },
      { status: 'refunded', orders: 1 },
      { status: 'shipped', orders: 1 },
    ]);
  });

  it('take one statement each, comparison with the previous period included', async () => {
    const period = 'from=2026-01-01T00:00:00Z&to=2026-06-30T00:00:00Z&interval=day';
    expect(await statementsOf(() => get('stats/orders-by-status'))).toEqual(['figures.orders-by-status']);
    expect(await statementsOf(() => get('stats/best-sellers'))).toEqual(['figures.best-sellers']);
    for (const metric of ['orders', 'revenue']) {
      expect(await statementsOf(() => get(`stats/series?metric=${metric}&${period}`))).toHaveLength(1);
    }
  });
});

describe('The plans of these lists', () => {
  beforeAll(async () => {
    await app.database.rows(`INSERT INTO users (id, username, email, password_hash)
      SELECT gen_random_uuid(), 'plan' || md5(n::text), md5('m' || n) || '@plans.example', 'x' FROM generate_series(1, 20000) AS n`);
    await app.database.rows(
      `INSERT INTO products (name, price, stock) SELECT 'Plan ' || n, 1, n FROM generate_series(1, 5000) AS n`,
    );
    await app.database.rows(`INSERT INTO reviews (product_id, user_id, rating, content)
      SELECT (SELECT max(id) FROM products), id, 1, md5(id::text) || md5(username) FROM users`);
    await app.database.rows(
      `INSERT INTO orders (user_id, total_price, shipping_address, created_at)
       SELECT $1, 1, repeat('x', 300), '2020-01-01'::timestamptz + n * interval '1 minute' FROM generate_series(1, 20000) AS n`,
      [user.id],
    );
    await app.database.rows(`INSERT INTO testimonials (user_id, content, rating)
      SELECT id, md5(id::text) || md5(username), 1 FROM users`);
    await app.database.rows('VACUUM ANALYZE users, products, reviews, testimonials, orders, order_items');
  });
  const scans = async (sql: string, values: unknown[]) => (await scansOf(app.database, sql, values)).join();
  const filtered = (
    list: typeof allReviews | typeof foundTestimonials | (typeof foundPages)['username'],
    given: object,
  ) => {
    const { statement, values } = list.of([0, 10], given);
    return scans(statement.text, values);
  };

  it('read an index', async () => {
    expect(await filtered(foundPages['-created_at'], { search: searchedPeople('cafebab') })).toContain(
      'users_search_idx',
    );
    expect(await filtered(allReviews, {})).toContain('reviews_all_newest_idx');
    expect(await filtered(allReviews, { productId: 1 })).toContain('reviews_newest_idx');
    const search = searchedPeople('cafebab');
    expect(await filtered(allReviews, { search })).toContain('reviews_text_idx');
    expect(await filtered(allReviews, { search, rating: 1 })).toContain('reviews_text_idx');
    expect(await filtered(foundTestimonials, { search })).toContain('testimonials_text_idx');
    expect(await filtered(foundTestimonials, {})).toContain('testimonials_newest_idx');
    expect(await scans(lowStock.text, [0, 10, 10])).toContain('products_low_stock_idx');
    expect(await scans(bestSellers.text, ['2026-05-01', '2026-06-01', 10])).toContain('orders_newest_idx');
    expect(await scans(ordersByStatus.text, [])).toContain('orders_by_status_idx');
  });
});
