import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { StoreEventPage } from '../../../src/store/events/store-events.dto.js';
import { OrdersService } from '../../../src/store/orders/orders.service.js';
import { insertAdmin, insertUser, signUp, type InsertedUser } from '../../support/accounts.js';
import { checkout } from '../../support/checkout.js';
import { addToCart, insertProduct, insertProducts } from '../../support/goods.js';
import { HeldTransaction } from '../../support/held-transaction.js';
import { schemaCheck } from '../../support/payload-schemas.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

type StoreEvent = StoreEventPage['data'][number];

const events = '/api/v1/admin/events';
const products = '/api/v1/admin/products';

let app: TestApp;
let token: string;
beforeAll(async () => {
  app = await startTestApp({ env: { LOW_STOCK: '3' } });
  ({ token } = await insertAdmin(app));
});
beforeEach(() => app.database.rows('DELETE FROM store_events'));
afterAll(() => app.close());

const page = async (query = '') => app.api.get<StoreEventPage>(`${events}${query}`, { token });

/** All events of the test, each checked against the schema of its type. */
async function told(): Promise<StoreEvent[]> {
  const { data } = (await page()).body;
  for (const event of data) (await schemaCheck(app.baseUrl, `store-events/${event.type}.json`))(event);
  return data;
}

const types = async (): Promise<string[]> => (await told()).map(({ type }) => type);

async function order(user: InsertedUser, productId: number, quantity = 1): Promise<number> {
  await addToCart(app, user, productId, quantity);
  return (await checkout(app.api, user)).body.id;
}

const move = (id: number, status: string) =>
  app.api.put(`/api/v1/admin/orders/${id}/status?new_status=${status}&confirm=true`, { token });

describe('An event', () => {
  it('is written for an order that is placed, with its lines and its customer', async () => {
    const user = await insertUser(app);
    const product = await insertProduct(app, { price: 12.5, stock: 50 });
    const id = await order(user, product, 2);
    expect(await told()).toMatchObject([
      {
        type: 'order.placed',
        data: {
          order: {
            id,
            status: 'pending',
            subtotal: 25,
            total_price: 30.99,
            items: [{ product_id: product, quantity: 2, price: 12.5 }],
          },
          customer: { id: user.id, username: user.username, shipping: { last_name: 'Lovelace', zip_code: '01101' } },
        },
      },
    ]);
  });

  it('is written for each status that has one, and for no other', async () => {
    const id = await order(await insertUser(app), await insertProduct(app));
    for (const status of ['paid', 'processing', 'shipped', 'shipped', 'refunded']) await move(id, status);
    const cancelled = await order(await insertUser(app), await insertProduct(app));
    await move(cancelled, 'cancelled');
    expect(await types()).toEqual([
      'order.placed',
      'order.paid',
      'order.shipped',
      'order.refunded',
      'order.placed',
      'order.cancelled',
    ]);
  });

  it('is written for a payment that failed', async () => {
    const id = await order(await insertUser(app), await insertProduct(app));
    const failed = { provider: 'stripe', amount: 30.99, reason: 'Your card was declined' };
    await app.nest.get(OrdersService, { strict: false }).paymentFailed(id, failed);
    expect((await told())[1]).toMatchObject({ type: 'payment.failed', data: { order: { id }, payment: failed } });
  });

  it('is written where an order makes the stock low, crossing the threshold, and where it ends it', async () => {
    const user = await insertUser(app);
    const product = await insertProduct(app, { stock: 5 });
    for (const quantity of [1, 1, 1, 2]) await order(user, product, quantity);
    const scarce = (await told()).filter(({ type }) => type.startsWith('stock.'));
    expect(scarce.map(({ type, data }) => [type, (data['product'] as { stock: number }).stock])).toEqual([
      ['stock.low', 3],
      ['stock.out', 0],
    ]);
    expect(scarce[0]?.data).toMatchObject({ threshold: 3, product: { id: product } });
  });

  it('is written for a product that is made, changed and deleted, and for its stock', async () => {
    const made = await app.api.post<{ id: number }>(products, { token, json: { name: 'Bowl', price: 9.5, stock: 10 } });
    const path = `${products}/${made.body.id}`;
    await app.api.put(path, { token, json: { price: 8.5 } });
    await app.api.put(path, { token, json: { price: 8.5 } });
    await app.api.put(path, { token, json: { stock: 2 } });
    await app.api.delete(path, { token });
    expect(await types()).toEqual([
      'product.created',
      'product.changed',
      'product.changed',
      'stock.low',
      'product.deleted',
    ]);
  });

  it('is written for a review', async () => {
    const user = await insertUser(app);
    const product = await insertProduct(app);
    await app.api.post(`/api/v1/reviews/product/${product}`, { token: user.token, json: { rating: 4, title: 'Good' } });
    expect(await told()).toMatchObject([
      { type: 'review.created', data: { review: { product_id: product, rating: 4 }, customer: { id: user.id } } },
    ]);
  });

  it('is written for a customer who comes and goes, whose names then go from all events', async () => {
    const user = await signUp(app);
    const product = await insertProduct(app);
    await order(user, product);
    expect((await told())[0]).toMatchObject({
      type: 'customer.created',
      data: { customer: { username: user.username } },
    });
    await app.api.delete('/api/v1/users/me/profile', { token: user.token });
    const after = await told();
    expect(after.map(({ type }) => type)).toEqual(['customer.created', 'order.placed', 'customer.deleted']);
    expect(after.map(({ data }) => data['customer'])).toEqual([{ id: user.id }, { id: user.id }, { id: user.id }]);
    const sql = 'SELECT FROM store_events WHERE (data::text || coalesce(customer::text, $2)) LIKE $1';
    expect(await app.database.rows(sql, [`%${user.username}%`, ''])).toEqual([]);
  });

  it('is not written for what is refused', async () => {
    const user = await insertUser(app);
    const product = await insertProduct(app, { stock: 1 });
    await addToCart(app, user, product);
    await app.database.rows('UPDATE products SET stock = 0 WHERE id = $1', [product]);
    expect((await checkout(app.api, user)).status).toBe(409);
    expect((await checkout(app.api, await insertUser(app))).status).toBe(400);
    expect((await move(2_000_000_000, 'paid')).status).toBe(404);
    expect(await types()).toEqual([]);
  });
});

describe('An import of 10,000 products', () => {
  it('writes an event for each of them, or for none where it is refused', async () => {
    const lines = Array.from({ length: 10_000 }, (_, n) => `Bowl ${n},9.50,20`);
    const send = (rows: string[]) =>
      app.api.post(`${products}/import`, {
        token,
        raw: ['name,price,stock', ...rows].join('\n'),
        headers: { 'content-type': 'text/csv' },
      });
    expect((await send([...lines.slice(1), 'Broken,nothing,1'])).status).toBe(422);
    const count = async () => {
      const sql = `SELECT count(*)::integer AS count FROM store_events WHERE type = 'product.created'`;
      return (await app.database.rows<{ count: number }>(sql))[0]?.count;
    };
    expect(await count()).toBe(0);
    expect((await send(lines)).status).toBe(200);
    expect(await count()).toBe(10_000);
    const seen = new Set<string>();
    let query = '?limit=500';
    for (let more = true; more;) {
      const { body } = await page(query);
      for (const { id } of body.data) seen.add(id);
      query = `?limit=500&after=${body.next}`;
      ({ more } = body);
    }
    expect(seen.size).toBe(10_000);
  }, 240_000);
});

describe('GET /api/v1/admin/events', () => {
  it('goes on after a position, and says whether there is more', async () => {
    const user = await insertUser(app);
    for (const product of await insertProducts(app, 3)) await order(user, product);
    const first = (await page('?limit=2')).body;
    expect(first).toMatchObject({ data: [{}, {}], more: true });
    const second = (await page(`?limit=2&after=${first.next}`)).body;
    expect(second).toMatchObject({ data: [{ type: 'order.placed' }], more: false });
    const third = (await page(`?after=${second.next}`)).body;
    expect(third).toMatchObject({ data: [], more: false });
    await order(user, await insertProduct(app));
    expect((await page(`?after=${third.next}`)).body.data).toHaveLength(1);
  });

  it('misses no event whose change was committed after a later one', async () => {
    const held = await HeldTransaction.open(
      app.database,
      `INSERT INTO store_events (id, type, data)
       VALUES (gen_random_uuid(), 'product.changed', '{"product": {"id": 1}}')`,
    );
    const user = await insertUser(app);
    await order(user, await insertProduct(app));
    const before = (await page()).body;
    expect(before.data.map(({ type }) => type)).toEqual(['order.placed']);
    await held.commit();
    expect((await page(`?after=${before.next}`)).body.data.map(({ type }) => type)).toEqual(['product.changed']);
  });

  it('tells each of many concurrent changes once, in one order to all readers', async () => {
    const users = await Promise.all(Array.from({ length: 8 }, () => insertUser(app)));
    const product = await insertProduct(app, { stock: 1_000 });
    const other = await app.anotherNode();
    const seen: string[][] = [[], []];
    let isOver = false;
    const readers = [app.api, other.api].map(async (api, n) => {
      let next: string | undefined;
      for (let last = false; !last;) {
        last = isOver;
        const query = next === undefined ? '' : `?after=${next}`;
        const { body } = await api.get<StoreEventPage>(`${events}${query}`, { token });
        seen[n]?.push(...body.data.map(({ data }) => String((data['order'] as { id: number } | undefined)?.id)));
        ({ next } = body);
      }
    });
    const ids: number[] = [];
    await Promise.all(
      users.map(async (user) => {
        for (let n = 0; n < 4; n++) ids.push(await order(user, product));
      }),
    );
    isOver = true;
    await Promise.all(readers);
    expect(seen[0]).toEqual(seen[1]);
    expect([...(seen[0] ?? [])].sort()).toEqual(ids.map(String).sort());
  });

  it.each([
    ['?after=nothing', 'after'],
    [`?after=${Buffer.from('12').toString('base64url')}`, 'after'],
    [`?after=${Buffer.from(`999999999_${Date.now()}`).toString('base64url')}`, 'after'],
    [`?after=${Buffer.from(`0_${Date.now() - 31 * 86_400_000}`).toString('base64url')}`, 'after'],
    ['?limit=0', 'limit'],
    ['?limit=501', 'limit'],
  ])('responds with 422 to %s', async (query, field) => {
    const { status, body } = await app.api.get(`${events}${query}`, { token });
    expect(status).toBe(422);
    expect(body).toMatchObject({ detail: [{ loc: ['query', field] }] });
  });

  it('responds with 403 to a user', async () => {
    const user = await insertUser(app);
    expect((await app.api.get(events, { token: user.token })).status).toBe(403);
  });
});

describe('Old events', () => {
  it('go after thirty days', async () => {
    const { EventFeed } = await import('../../../src/store/events/event-feed.js');
    const user = await insertUser(app);
    await order(user, await insertProduct(app));
    await order(user, await insertProduct(app));
    const sql = `UPDATE store_events SET created_at = now() - interval '31 days'
                  WHERE id = (SELECT id FROM store_events LIMIT 1)`;
    await app.database.rows(sql);
    await app.nest.get(EventFeed, { strict: false }).removeOld();
    expect(await types()).toEqual(['order.placed']);
  });
});
