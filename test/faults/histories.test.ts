import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  cartModel,
  checkLinearizability,
  paymentModel,
  type SequentialModel,
  stockModel,
  type TimedOperation,
} from '../../simulation/linearizability.js';
import type { Order } from '../../src/store/orders/orders.dto.js';
import { insertAdmin, insertUser, type InsertedUser } from '../support/accounts.js';
import { insertProducts } from '../support/goods.js';
import { MortalNodes } from '../support/mortal-nodes.js';
import { ShopCrowd } from '../support/shop-crowd.js';
import { ShopHistories } from '../support/shop-histories.js';
import { StripeServer } from '../support/stripe-server.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const pieces = 25;
/** How often each of the nodes is killed, and how much of its life is history. */
const killsOfEach = 2;
const answersOfALife = 120;

let app: TestApp;
let stripe: StripeServer;
let nodes: MortalNodes;
let histories: ShopHistories;
let crowd: ShopCrowd;
let products: number[];
let shoppers: InsertedUser[];
beforeAll(async () => {
  stripe = await StripeServer.start();
  app = await startTestApp();
  products = await insertProducts(app, 3, pieces);
  shoppers = await Promise.all(Array.from({ length: 3 }, () => insertUser(app)));
  const shop = { PUBLIC_URL: 'https://shop.example.com', PAYMENT_TIMEOUT_SECONDS: '60' };
  nodes = await MortalNodes.start(app, { ...stripe.env, ...shop });
  const named = await app.database.rows<{ id: number; name: string; stock: number }>(
    'SELECT id, name, stock FROM products',
  );
  histories = new ShopHistories(
    named,
    shoppers.map(({ id }) => id),
  );
  crowd = new ShopCrowd({ nodes, histories, stripe, admin: await insertAdmin(app), products });
  crowd.start(shoppers, 3);
  await Promise.race([crowd.failed(), killInTurn()]);
  await crowd.stop();
  histories.finish(await placedOrders());
}, 900_000);
afterAll(async () => {
  await (nodes as MortalNodes | undefined)?.close();
  await app.close();
  await stripe.close();
});

async function killInTurn(): Promise<void> {
  for (let kill = 0; kill < 2 * killsOfEach; kill++) {
    const node = kill % 2 === 0 ? 0 : 1;
    await nodes.hasAnswered(node, answersOfALife);
    await sleep(Math.random() * 50); // at a different moment of the requests each time
    await nodes.kill(node);
    await nodes.bear(node);
  }
}

async function placedOrders(): Promise<{ cart: string; order: Pick<Order, 'id' | 'items'> }[]> {
  return app.database.rows(
    `SELECT user_id AS cart, json_build_object('id', id, 'items', (
              SELECT json_agg(json_build_object('product_id', product_id, 'quantity', quantity))
                FROM order_items WHERE order_id = orders.id)) AS "order"
       FROM orders`,
  );
}

/** The objects whose histories cannot be explained, with the operation that shows it. */
function unexplained<State, Operation, Result>(
  model: SequentialModel<State, Operation, Result>,
  operations: Map<string, TimedOperation<Operation, Result>[]>,
) {
  return [...operations]
    .map(([key, ofKey]) => ({ key, ...checkLinearizability(model, ofKey) }))
    .filter(({ linearizable }) => linearizable !== true);
}

const lastOf = (steps: readonly { ended: number | null }[]) => Math.max(...steps.map(({ ended }) => ended ?? 0));

describe('The history of two nodes that are killed', () => {
  it('has requests that were cut off, goods that ran out, and money that came and went', () => {
    expect(nodes.kills).toBe(2 * killsOfEach);
    expect(nodes.unanswered.length).toBeGreaterThan(nodes.kills);
    expect(Math.min(histories.shortages, crowd.cancelled, crowd.refunded)).toBeGreaterThan(5);
  });

  it('has an order in which each cart was changed and ordered', () => {
    expect(histories.carts.size).toBe(shoppers.length);
    expect(unexplained(cartModel, histories.carts)).toEqual([]);
  });

  it('has an order in which the stock of each product was taken, returned and read', () => {
    expect(histories.stocks.size).toBe(products.length);
    expect(unexplained(stockModel, histories.stocks)).toEqual([]);
  });

  it('has an order in which the money of each order came once, and went back at most once', () => {
    expect(histories.money.size).toBe(crowd.refunded);
    expect(unexplained(paymentModel, histories.money)).toEqual([]);
  });

  it('ends with one page and one payment for each paid order, and no more refunded than was captured', async () => {
    const orders = [...stripe.sessions.values()].map(({ metadata }) => metadata['order_id']);
    expect(new Set(orders).size).toBe(orders.length);
    const sent = new Map<string, number>();
    for (const { payment_intent, amount } of stripe.refunds) {
      sent.set(payment_intent, (sent.get(payment_intent) ?? 0) + amount);
    }
    for (const { payment_intent, amount_total } of stripe.sessions.values()) {
      expect(sent.get(payment_intent ?? '')).toBe(amount_total);
    }
    const wrong = await app.database.rows(
      `SELECT id, status, paid_total, refunded_total FROM orders
        WHERE (SELECT count(*) FROM payments WHERE order_id = orders.id) <> (CASE status WHEN 'refunded' THEN 1 ELSE 0 END)
           OR status NOT IN ('cancelled', 'refunded')`,
    );
    expect(wrong).toEqual([]);
  });

  it('ends with all pieces in stock, as each order was undone', async () => {
    const stocks = await app.database.rows<{ stock: number }>('SELECT stock FROM products');
    expect(stocks).toEqual(products.map(() => ({ stock: pieces })));
  });
});

describe('The checker of these histories', () => {
  it('refuses a read that is older than the last change', () => {
    for (const [key, steps] of histories.stocks) {
      const at = lastOf(steps) + 1;
      const read = (stock: number) => ({
        id: 'last',
        called: at,
        ended: at,
        operation: { kind: 'read' as const },
        result: { stock },
      });
      expect(checkLinearizability(stockModel, [...steps, read(pieces)]).linearizable).toBe(true);
      const stale = checkLinearizability(stockModel, [...steps, read(pieces - 1)]);
      expect([key, stale]).toEqual([key, expect.objectContaining({ linearizable: false, states: [String(pieces)] })]);
    }
  });

  it('refuses pieces that were sold without leaving the stock', () => {
    for (const steps of histories.stocks.values()) {
      const sold = steps.findLast(({ operation }) => operation.kind === 'take');
      const rest = steps.filter((step) => step !== sold);
      const at = lastOf(steps) + 1;
      const read = {
        id: 'last',
        called: at,
        ended: at,
        operation: { kind: 'read' as const },
        result: { stock: pieces },
      };
      expect(checkLinearizability(stockModel, [...rest, read]).linearizable).toBe(false);
    }
  });

  it('refuses a lost update of a cart', () => {
    for (const steps of histories.carts.values()) {
      const at = lastOf(steps) + 1;
      const add = (id: string, product: number) => ({
        id,
        called: at,
        ended: at + 1,
        operation: { kind: 'add' as const, product, pieces: 1 },
      });
      const clear = { id: 'clear', called: at - 1, ended: at - 0.5, operation: { kind: 'clear' as const } };
      const read = (lines: Record<string, number>) => ({
        id: 'read',
        called: at + 2,
        ended: at + 3,
        operation: { kind: 'read' as const },
        result: { lines },
      });
      const both = [...steps, clear, add('first', 1), add('second', 2)];
      expect(checkLinearizability(cartModel, [...both, read({ 1: 1, 2: 1 })]).linearizable).toBe(true);
      expect(checkLinearizability(cartModel, [...both, read({ 2: 1 })]).linearizable).toBe(false);
    }
  });

  it('refuses a second capture, and a refund that was sent twice', () => {
    for (const steps of histories.money.values()) {
      const at = lastOf(steps) + 1;
      const paid = steps.find(({ operation }) => operation.kind === 'pay')!;
      const { cents } = paid.operation as { cents: number };
      const read = (count: number) => ({
        id: 'read',
        called: at,
        ended: at,
        operation: { kind: 'read' as const },
        result: { paid: count * cents, refunded: cents },
      });
      expect(checkLinearizability(paymentModel, [...steps, read(1)]).linearizable).toBe(true);
      expect(checkLinearizability(paymentModel, [...steps, read(2)]).linearizable).toBe(false);
      const again = steps
        .filter(({ operation, result }) => operation.kind === 'refund' && result === 'refused')
        .map((step) => ({ ...step, result: 'done' as const }));
      const others = steps.filter(({ id }) => again.every((step) => step.id !== id));
      expect(again.length === 0 || !checkLinearizability(paymentModel, [...others, ...again]).linearizable).toBe(true);
    }
  });
});
