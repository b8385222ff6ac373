import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Order } from '../../src/store/orders/orders.dto.js';
import { insertUser } from '../support/accounts.js';
import { type ApiAnswer, ApiClient } from '../support/api-client.js';
import { checkout } from '../support/checkout.js';
import { holdToContract } from '../support/contract.js';
import { fillCart, insertProducts } from '../support/goods.js';
import { HeldTransaction } from '../support/held-transaction.js';
import { type JobNode, startJobNode } from '../support/job-node.js';
import { type Receiver, startReceiver, until } from '../support/receiver.js';
import { startNodeProcess } from '../support/service-process.js';
import { StoreWebhookCalls } from '../support/store-webhooks.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const env = { EGRESS_ALLOW: '127.0.0.1' };

let app: TestApp;
let receiver: Receiver;
let calls: StoreWebhookCalls;
let products: number[];
let dataDir: string;
beforeAll(async () => {
  app = await startTestApp({ env });
  calls = await StoreWebhookCalls.of(app);
  products = await insertProducts(app, 3, 5_000);
  dataDir = await mkdtemp(join(tmpdir(), 'store-events-kill-'));
});
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.kill()));
  await receiver.close();
});
afterAll(async () => {
  await app.close();
  await rm(dataDir, { recursive: true, force: true });
});

const nodes: JobNode[] = [];

async function startNode(): Promise<JobNode> {
  const node = await startJobNode(app, env);
  nodes.push(node);
  return node;
}

const order = async (api = app.api): Promise<ApiAnswer<Order>> => {
  const user = await insertUser(app);
  await fillCart(app, user, products);
  return checkout(api, user);
};

/** The orders that exist, and those of which events tell. */
async function ordersAndEvents(): Promise<[orders: number[], told: number[]]> {
  const orders = await app.database.rows<{ id: number }>('SELECT id FROM orders ORDER BY id');
  const told = await app.database.rows<{ id: number }>(
    `SELECT (data -> 'order' ->> 'id')::integer AS id FROM store_events WHERE type = 'order.placed' ORDER BY 1`,
  );
  return [orders.map(({ id }) => id), told.map(({ id }) => id)];
}

describe('kill -9', () => {
  it('amid orders leaves an event of each that was committed, and of no other', async () => {
    for (let round = 0; round < 3; round++) {
      const node = await startNodeProcess(app, dataDir);
      const api = new ApiClient(node.baseUrl, await holdToContract(node.baseUrl, 'contract'));
      let answered = 0;
      const buyers = Array.from({ length: 6 }, async () => {
        for (;;) {
          const answer = await order(api).catch(() => null);
          if (answer === null) return;
          answered++;
        }
      });
      await until(() => answered >= 12);
      await sleep(Math.random() * 50);
      await node.stop('SIGKILL');
      await Promise.all(buyers);
    }
    const [orders, told] = await ordersAndEvents();
    expect(orders.length).toBeGreaterThan(36);
    expect(told).toEqual(orders);
  });

  it('between a change and its delivery, while events are passed on, and amid a delivery loses and doubles nothing', async () => {
    const { id } = await calls.made(receiver.url);
    const { body: placed } = await order();
    // While events are passed on: the numbers are held by another, so the node waits with its transaction open.
    const held = await HeldTransaction.open(app.database, 'SELECT pg_advisory_xact_lock(528411302)');
    const first = await startNode();
    try {
      await held.blocks(1);
      await first.kill();
    } finally {
      await held.commit();
    }
    // Amid the delivery: the receiver does not answer.
    receiver.answer = () => undefined;
    const second = await startNode();
    const [cut] = await receiver.has(1);
    await second.kill();
    receiver.answer = (response) => response.end();
    await startNode();
    const [delivery] = await calls.deliveriesThatAre(id, 'DELIVERED');
    expect(delivery?.attempts.map(({ status_code }) => status_code)).toEqual([null, 200]);
    const [, again, ...more] = receiver.received;
    expect(more).toEqual([]);
    expect(again?.bytes.equals(cut?.bytes ?? Buffer.alloc(0))).toBe(true);
    expect(JSON.parse(String(again?.bytes))).toMatchObject({
      type: 'order.placed',
      data: { order: { id: placed.id } },
    });
  });
});

describe('Two nodes', () => {
  it('deliver each of many events once, those of a bulk change too', async () => {
    const { id } = await calls.made(new URL('/bulk', receiver.url).href, {
      events: ['order.placed', 'product.created'],
    });
    await Promise.all([startNode(), startNode()]);
    const rows = ['name,price,stock', ...Array.from({ length: 600 }, (_, n) => `Bowl ${n},9.50,20`)];
    await app.api.post('/api/v1/admin/products/import', {
      token: calls.token,
      raw: rows.join('\n'),
      headers: { 'content-type': 'text/csv' },
    });
    await Promise.all(Array.from({ length: 10 }, () => order()));
    const count = async (status: string) => {
      const sql = 'SELECT count(*)::integer AS count FROM webhook_deliveries WHERE webhook_id = $1 AND status = $2';
      return (await app.database.rows<{ count: number }>(sql, [id, status]))[0]?.count;
    };
    await until(async () => (await count('DELIVERED')) === 610, 'all deliveries', 500);
    await Promise.all(nodes.map((node) => node.stop()));
    const sent = receiver.received.filter(({ path }) => path === '/bulk').map(({ headers }) => headers['webhook-id']);
    expect(sent).toHaveLength(610);
    expect(new Set(sent).size).toBe(610);
  });
});
