import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Order } from '../../src/store/orders/orders.dto.js';
import { insertUser, type InsertedUser } from '../support/accounts.js';
import { type ApiAnswer, ApiClient } from '../support/api-client.js';
import { unlessBusy } from '../support/busy.js';
import { checkout } from '../support/checkout.js';
import { holdToContract } from '../support/contract.js';
import { Deferred } from '../support/deferred.js';
import { fillCart, insertCoupon, insertProducts, usesOf } from '../support/goods.js';
import { startNodeProcess } from '../support/service-process.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const rounds = 6;
const initialStock = 5_000;
const quantity = 2;

/** A buyer who fills their cart and orders it, over and over, each order with a key of its own. */
interface Buyer {
  user: InsertedUser;
  keys: string[];
  answered: number[];
}

let app: TestApp;
let products: number[];
let coupon: number;
let buyers: Buyer[];
let dataDir: string;
let cutOff = 0;
beforeAll(async () => {
  app = await startTestApp();
  products = await insertProducts(app, 4, initialStock);
  coupon = await insertCoupon(app, 'KILLED', { percent: 15, maxUses: 100_000 });
  const users = await Promise.all(Array.from({ length: 12 }, () => insertUser(app)));
  buyers = users.map((user) => ({ user, keys: [], answered: [] }));
  dataDir = await mkdtemp(join(tmpdir(), 'store-kill-'));
  for (let round = 0; round < rounds; round++) await orderUntilKilled();
}, 900_000);
afterAll(async () => {
  await app.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function order(api: ApiClient, buyer: Buyer): Promise<ApiAnswer<Order> | null> {
  const key = `${buyer.user.username}-${buyer.keys.length}`;
  await fillCart(app, buyer.user, products, quantity);
  buyer.keys.push(key);
  return unlessBusy(() => checkout(api, buyer.user, { coupon: 'KILLED', key })).catch(() => null);
}

/** Orders at a node until it is gone; the last request of each buyer is cut off midway. */
async function orderUntilKilled(): Promise<void> {
  const node = await startNodeProcess(app, dataDir);
  const api = new ApiClient(node.baseUrl, await holdToContract(node.baseUrl, 'contract'));
  const enough = new Deferred<void>();
  let ordered = 0;
  const buying = buyers.map(async (buyer) => {
    for (;;) {
      const answer = await order(api, buyer);
      if (answer === null) {
        cutOff++;
        return;
      }
      expect(answer.status).toBe(201);
      buyer.answered.push(answer.body.id);
      if (++ordered === 2 * buyers.length) enough.resolve();
    }
  });
  await Promise.race([enough.promise, Promise.all(buying)]);
  await sleep(Math.random() * 50); // at a different moment of an order in each round
  await node.stop('SIGKILL');
  await Promise.all(buying);
  for (const buyer of buyers) await repeatLast(buyer);
}

/** What a client does not need a response: the same request again, with the same key, elsewhere. */
async function repeatLast(buyer: Buyer): Promise<void> {
  const key = buyer.keys.at(-1) ?? '';
  for (let attempt = 0; attempt < 50; attempt++) {
    const { status, body } = await unlessBusy(() => checkout(app.api, buyer.user, { coupon: 'KILLED', key }));
    if (status === 201) {
      buyer.answered.push(body.id);
      return;
    }
    expect(status).toBe(409); // the database has not yet noticed that the node is gone
    await sleep(50);
  }
  throw new Error(`The key ${key} is stuck`);
}

describe('Checkouts on a node that is killed', () => {
  it('include some that got a response and some that were cut off', () => {
    expect(cutOff).toBe(rounds * buyers.length);
    expect(buyers.flatMap(({ answered }) => answered).length).toBeGreaterThan(cutOff);
  });

  it('become one order per key, whether they got a response, were repeated or both', async () => {
    const kept = await app.database.rows<{ key: string; id: number }>(
      `SELECT key, (response ->> 'id')::int AS id FROM idempotency_keys`,
    );
    const orders = await app.database.rows<{ id: number }>('SELECT id FROM orders ORDER BY id');
    const keys = buyers.flatMap((buyer) => buyer.keys);
    expect(kept.map(({ key }) => key).sort()).toEqual(keys.sort());
    expect(kept.map(({ id }) => id).sort((one, other) => one - other)).toEqual(orders.map(({ id }) => id));
    expect(new Set(buyers.flatMap(({ answered }) => answered))).toEqual(new Set(orders.map(({ id }) => id)));
  });

  it('leave only whole orders, with the right totals', async () => {
    const broken = await app.database.rows(
      `SELECT o.id, o.total_price, o.discount, goods.lines, goods.sum
         FROM orders o
         LEFT JOIN LATERAL (
           SELECT count(*) AS lines, sum(price * quantity) AS sum FROM order_items WHERE order_id = o.id) goods ON true
        WHERE goods.lines <> $1
           OR o.discount <> round(goods.sum * 0.15, 2)
           OR o.total_price <> goods.sum - o.discount + o.shipping_cost`,
      [products.length],
    );
    expect(broken).toEqual([]);
  });

  it('take exactly the stock that they sold', async () => {
    const stocks = await app.database.rows(
      `SELECT p.id, p.stock + coalesce(sum(i.quantity), 0)::int AS total
         FROM products p LEFT JOIN order_items i ON i.product_id = p.id GROUP BY p.id ORDER BY p.id`,
    );
    expect(stocks).toEqual(products.map((id) => ({ id, total: initialStock })));
  });

  it('count exactly the uses of the coupon', async () => {
    const [row] = await app.database.rows<{ orders: string }>(
      'SELECT count(*) AS orders FROM orders WHERE coupon_id = $1',
      [coupon],
    );
    expect(await usesOf(app, coupon)).toBe(Number(row?.orders));
  });

  it('leave every cart empty', async () => {
    expect(await app.database.rows('SELECT * FROM cart_items')).toEqual([]);
  });
});
