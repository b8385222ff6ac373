import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OrderIndex } from '../../../src/store/orders/order-index.js';
import type { OrderQueues } from '../../../src/store/orders/order-desk.dto.js';
import type { AdminOrder, Order } from '../../../src/store/orders/orders.dto.js';
import { insertAdmin, type InsertedUser, insertUser } from '../../support/accounts.js';
import { fillCart, insertProduct } from '../../support/goods.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const shipping = {
  first_name: 'Jürgen',
  last_name: 'Weißmüller',
  address: '7 Königsallee',
  city: 'Düsseldorf',
  zip_code: 'SW1A 1AA',
  phone: '+49 211 555-0199',
};

let app: TestApp;
let admin: InsertedUser;
let buyer: InsertedUser;
let placed: Order;
beforeAll(async () => {
  app = await startTestApp();
  admin = await insertAdmin(app);
  buyer = await insertUser(app, { username: 'Zenobia.P', email: 'queen@palmyra.example' });
  await app.api.put('/api/v1/users/me/profile', {
    token: buyer.token,
    json: { first_name: 'Zoë', last_name: "O'Hara" },
  });
  await fillCart(app, buyer, [await insertProduct(app, { name: 'Crème brûlée dish' }), await insertProduct(app)]);
  placed = (await app.api.post<Order>('/api/v1/orders/checkout', { token: buyer.token, json: { shipping } })).body;
});
afterAll(() => app.close());

const list = (query: string, token = admin.token) =>
  app.api.get<AdminOrder[]>(`/api/v1/admin/orders?${query}`, { token });
const found = async (text: string, more = '') =>
  (await list(`search=${encodeURIComponent(text)}${more}`)).body.map(({ id }) => id);

async function insertOrder(columns: Record<string, unknown>): Promise<number> {
  const names = ['user_id', 'total_price', ...Object.keys(columns)];
  const values = [buyer.id, 10, ...Object.values(columns)];
  const [row] = await app.database.rows<{ id: number }>(
    `INSERT INTO orders (${names.join(', ')}) VALUES (${values.map((_, n) => `$${n + 1}`).join(', ')}) RETURNING id`,
    values,
  );
  return row?.id ?? 0;
}

describe('GET /api/v1/admin/orders?search=', () => {
  it.each([
    ['the username', 'zenobia'],
    ['two letters', 'ze'],
    ['the e-mail address', 'queen@palmyra.example'],
    ['a part of it', 'almyra'],
    ['the names of the account', "o'hara", 'zoe hara'],
    ['the name of who gets it', 'jurgen weissm', 'WEISSMÜLLER Jürgen', 'ju\u0308rgen'],
    ['its address and city', '7 konigs', 'dusseldorf'],
    ['its postcode, with the blank and without', 'sw1a 1aa', 'SW1A1AA'],
    ['its phone number, as it is written or by its digits', '555-0199', '492115550199'],
    ['the name of a product', 'creme brulee', 'BRÛL'],
    ['words of several of these', 'zenobia dish konigsallee'],
  ])('finds an order by %s', async (_, ...texts) => {
    for (const text of texts) expect([text, await found(text)]).toEqual([text, [placed.id]]);
  });

  it('finds none by the inside of other words, by words of which one is missing, or by one letter', async () => {
    for (const text of ['enigsallee', 'zenobia stool', 'z', '%', '_'])
      expect([text, await found(text)]).toEqual([text, []]);
  });

  it('finds an order by its number, and narrows by the other filters', async () => {
    expect(await found(String(placed.id))).toEqual([placed.id]);
    expect(await found(`#${placed.id}`)).toEqual([placed.id]);
    expect(await found('zenobia', '&status=pending')).toEqual([placed.id]);
    expect(await found('zenobia', '&status=shipped')).toEqual([]);
    expect(await found(String(placed.id), '&status=shipped')).toEqual([]);
  });

  it('counts and pages in every order', async () => {
    const other = await insertUser(app, { username: 'pager' });
    const product = await insertProduct(app, { name: 'Paged thing' });
    const ids: number[] = [];
    for (let count = 0; count < 3; count++) {
      await fillCart(app, other, [product], count + 1);
      ids.push((await app.api.post<Order>('/api/v1/orders/', { token: other.token })).body.id);
    }
    for (const [sort, sorted] of [
      ['-created_at', ids.toReversed()],
      ['created_at', ids],
      ['total', ids],
      ['-total', ids.toReversed()],
    ] as const) {
      const first = await list(`search=paged&limit=2&sort=${sort}`);
      const rest = await list(`search=paged&limit=2&skip=2&sort=${sort}`);
      expect([sort, [...first.body, ...rest.body].map(({ id }) => id)]).toEqual([sort, sorted]);
      expect([first.headers.get('x-total-count'), rest.headers.get('x-total-count')]).toEqual(['3', '3']);
    }
  });

  it('follows a new name, and forgets a deleted account', async () => {
    const user = await insertUser(app, { username: 'renamed' });
    await fillCart(app, user, [await insertProduct(app)]);
    const { id } = (await app.api.post<Order>('/api/v1/orders/', { token: user.token })).body;
    await app.api.put('/api/v1/users/me/profile', { token: user.token, json: { last_name: 'Fjellström' } });
    expect(await found('fjellstrom')).toEqual([id]);
    await app.api.delete('/api/v1/users/me/profile', { token: user.token });
    expect([await found('fjellstrom'), await found('renamed')]).toEqual([[], []]);
    expect(
      await app.database.rows(
        `SELECT FROM order_search WHERE words::text LIKE '%fjell%' OR words::text LIKE '%renamed%'`,
      ),
    ).toEqual([]);
  });

  it('finds orders also once the job has made them searchable', async () => {
    const id = await insertOrder({ shipping_last_name: 'Underhill' });
    const [before] = await app.database.rows<{ count: number }>('SELECT count(*)::int AS count FROM unindexed_orders');
    expect(before?.count).toBeGreaterThan(0);
    await app.nest.get(OrderIndex).indexAll();
    expect(await app.database.rows('SELECT FROM unindexed_orders')).toEqual([]);
    expect(await found('underhill')).toEqual([id]);
  });

  it.each([['x'.repeat(254)], ['a '.repeat(120)], ["' | ! & <-> :* \\ ()"], ['9'.repeat(30)], ['ab '.repeat(80)]])(
    'takes any text: %j',
    async (text) => {
      expect((await list(`search=${encodeURIComponent(text)}`)).status).toBe(200);
    },
  );

  it.each(['search=', 'search=%20', 'search=a%00b', `search=${'x'.repeat(255)}`])(
    'responds with 422 to %s',
    async (query) => {
      expect((await list(query)).status).toBe(422);
    },
  );
});

describe('GET /api/v1/admin/orders?status=', () => {
  it('lists several statuses, by commas or again, in any case, and a word of the shop', async () => {
    const user = await insertUser(app);
    const ids = await app.database.rows<{ id: number }>(
      `INSERT INTO orders (user_id, total_price, status, created_at)
       SELECT $1, 1, status, '2022-01-01'::timestamptz + n * interval '1 day'
         FROM unnest('{paid,processing,cancelled,waiting}'::text[]) WITH ORDINALITY AS given(status, n) RETURNING id`,
      [user.id],
    );
    const [paid, processing, cancelled, waiting] = ids.map(({ id }) => id);
    const of = async (query: string) => (await list(`customer=${user.id}&${query}`)).body.map(({ id }) => id);
    expect(await of('status=paid,processing')).toEqual([processing, paid]);
    expect(await of('status=PAID&status=canceled')).toEqual([cancelled, paid]);
    expect(await of('status=waiting')).toEqual([waiting]);
    expect(await of('status=paid,processing&status_filter=paid')).toEqual([paid]);
  });

  it.each([`status=${Array.from({ length: 21 }, (_, n) => `s${n}`).join(',')}`, `status=${'x'.repeat(51)}`])(
    'responds with 422 to %s',
    async (query) => {
      expect((await list(query)).status).toBe(422);
    },
  );
});

describe('GET /api/v1/admin/orders/queues', () => {
  const counts = async () =>
    (await app.api.get<OrderQueues>('/api/v1/admin/orders/queues', { token: admin.token })).body;

  it('counts what waits, and `queue` lists it, newest first', async () => {
    const before = await counts();
    const address = { shipping_address: '1 Main Street' };
    const toShip = await insertOrder({ status: 'paid', reached: 'paid', ...address });
    const lost = await insertOrder({ status: 'processing', reached: 'processing' });
    const failed = await insertOrder({ payment_problem: 'payment_failed' });
    const returned = await insertOrder({
      status: 'delivered',
      reached: 'delivered',
      paid_total: 10,
      refunded_total: 4,
    });
    const wholly = await insertOrder({ status: 'refunded', reached: 'shipped', ...address });
    await insertOrder({ status: 'refunded', reached: 'paid', ...address });
    await insertOrder({ status: 'completed', reached: 'completed', ...address });
    const { to_ship, unpaid, problems, returns } = await counts();
    expect([to_ship - before.to_ship, unpaid - before.unpaid]).toEqual([2, 1]);
    expect([problems - before.problems, returns - before.returns]).toEqual([2, 2]);
    const listed = async (queue: string) => (await list(`queue=${queue}`)).body.map(({ id }) => id);
    expect((await listed('to_ship')).slice(0, 2)).toEqual([lost, toShip]);
    expect((await listed('unpaid'))[0]).toBe(failed);
    expect((await listed('problems')).slice(0, 2)).toEqual([failed, lost]);
    expect(await listed('returns')).toEqual([wholly, returned]);
    expect((await list('queue=to_ship&search=dusseldorf')).body).toEqual([]);
  });

  it('refuses an unknown queue with 422, and users with 403', async () => {
    expect((await list('queue=lost')).status).toBe(422);
    expect((await app.api.get('/api/v1/admin/orders/queues', { token: buyer.token })).status).toBe(403);
  });
});
