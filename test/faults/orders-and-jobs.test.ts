import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { insertUser, type InsertedUser } from '../support/accounts.js';
import { ApiClient } from '../support/api-client.js';
import { unlessBusy } from '../support/busy.js';
import { checkout } from '../support/checkout.js';
import { fillCart, insertProducts } from '../support/goods.js';
import { type MailServer, startMailServer } from '../support/mail-server.js';
import { insertOrganization } from '../support/organizations.js';
import { type Receiver, startReceiver, until } from '../support/receiver.js';
import { type ServiceProcess, startNodeProcess } from '../support/service-process.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { WorkflowCalls } from '../support/workflows.js';

const seconds = 90;
const perSecond = 10;
/** Fewer than one address may ask for. */
const resets = 3;
/**
 * The orders of ten seconds, and of thirty: all waiting is counted in orders, since a busy machine is slow at
 * everything.
 */
const ofTenSeconds = 10 * perSecond;
const ofThirtySeconds = 30 * perSecond;

let server: MailServer;
let receiver: Receiver;
let app: TestApp;
let dataDir: string;
let node: ServiceProcess;
/** The node, as the calls of tests know it. */
let service: TestApp;
beforeAll(async () => {
  [server, receiver] = [await startMailServer(), await startReceiver()];
  app = await startTestApp();
  dataDir = await mkdtemp(join(tmpdir(), 'store-orders-and-jobs-'));
  node = await startNodeProcess(app, dataDir, { ...server.env, EGRESS_ALLOW: '127.0.0.1' });
  service = { ...app, api: new ApiClient(node.baseUrl, () => undefined) };
});
afterAll(async () => {
  await node.stop('SIGKILL');
  await app.close();
  await receiver.close();
  await server.close();
  await rm(dataDir, { recursive: true, force: true });
});

/** Those without an order in progress. */
let buyers: InsertedUser[];
let products: number[];
let placed: number;

async function order(buyer: InsertedUser): Promise<void> {
  await fillCart(app, buyer, products);
  const { status, body } = await unlessBusy(() => checkout(service.api, buyer));
  expect([status, body]).toEqual([201, expect.anything()]);
  placed += 1;
}

/** How many orders were placed between the call of `ask` and the time when `holds`. */
async function ordersUntil(holds: () => Promise<boolean> | boolean, what: string): Promise<number> {
  const before = placed;
  await until(holds, what, 50);
  return placed - before;
}

/** Ten orders a second, each at its time unless the ones before are late. */
async function placeOrders(): Promise<void> {
  const begun = Date.now();
  const underWay = new Set<Promise<void>>();
  for (let nth = 0; nth < seconds * perSecond; nth++) {
    await sleep(Math.max(0, begun + (nth * 1_000) / perSecond - Date.now()));
    if (buyers.length === 0) await Promise.race(underWay);
    const buyer = buyers.shift() as InsertedUser;
    const one = order(buyer).finally(() => {
      underWay.delete(one);
      buyers.push(buyer);
    });
    underWay.add(one);
  }
  await Promise.all(underWay);
}

const waitingMails = () => app.database.rows(`SELECT FROM graphile_worker.jobs WHERE task_identifier = 'mail'`);

it('Orders that keep coming delay no webhook, no reset of a password, no upkeep and no mail', async () => {
  // Those of a first try that failed.
  await until(async () => (await waitingMails()).length === 0, 'the last mails', 200);
  [buyers, placed] = [[], 0];
  server.mails.length = 0;
  for (let n = 0; n < 20; n++) buyers.push(await insertUser(app));
  await app.database.rows('UPDATE users SET email_verified = true');
  products = await insertProducts(app, 1, 100_000);
  const calls = new WorkflowCalls(service, await insertOrganization(app));
  const { id: workflowId } = await calls.make(receiver.url);

  const ordering = { isOver: false };
  const orders = placeOrders().finally(() => (ordering.isOver = true));
  const delays: Record<string, number> = {};
  const note = (what: string, delay: number): void => {
    delays[what] = Math.max(delays[what] ?? 0, delay);
  };
  try {
    for (let round = 0; !ordering.isOver; round++) {
      const sent = receiver.received.length;
      await calls.run(workflowId);
      note('webhook', await ordersUntil(() => receiver.received.length > sent, 'a webhook'));
      if (round < resets) {
        const { email } = await insertUser(app);
        expect((await service.api.post('/api/v1/auth/password/forgot', { json: { email } })).status).toBe(202);
        note('reset', await ordersUntil(() => server.mailsTo(email).length > 0, 'the mail to reset a password'));
      }
      await app.database.rows(`UPDATE graphile_worker._private_jobs SET run_at = now() WHERE key = 'event-retention'`);
      const isDone = async (): Promise<boolean> => {
        const due = await app.database.rows(
          `SELECT FROM graphile_worker._private_jobs WHERE key = 'event-retention' AND run_at <= now()`,
        );
        return due.length === 0;
      };
      note('upkeep', await ordersUntil(isDone, 'the retention'));
      await sleep(1_000);
    }
  } finally {
    await orders;
  }
  const waiting = await waitingMails();

  for (const what of ['webhook', 'reset', 'upkeep']) expect(delays[what]).toBeLessThanOrEqual(ofTenSeconds);
  expect(waiting.length).toBeLessThanOrEqual(ofThirtySeconds);
  const confirmed = () => server.mails.filter(({ subject }) => subject.startsWith('Your order ')).length;
  await until(() => confirmed() === placed, 'the mail of each order', 200);
  expect(placed).toBe(seconds * perSecond);
}, 400_000);
