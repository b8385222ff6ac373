import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { insertUser, type InsertedUser } from '../../support/accounts.js';
import { placeOrder } from '../../support/checkout.js';
import { fillCart, insertProducts } from '../../support/goods.js';
import { type MailServer, startMailServer } from '../../support/mail-server.js';
import { until } from '../../support/receiver.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

/** Between two orders, so that orders arrive more slowly than the outbox hands out mails. */
const betweenMs = 150;

let server: MailServer;
let app: TestApp;
let user: InsertedUser;
let products: number[];
beforeAll(async () => {
  server = await startMailServer();
  // Without workers, so that jobs stay in the queue.
  app = await startTestApp({ env: server.env });
  user = await insertUser(app);
  products = await insertProducts(app, 1, 10_000);
});
afterAll(async () => {
  await app.close();
  await server.close();
});

async function order(): Promise<void> {
  await fillCart(app, user, products);
  expect((await placeOrder(app.api, user)).status).toBe(201);
}

/** How many mails the queue got in each batch, and when. */
function batches(): Promise<{ mails: number; at: Date }[]> {
  return app.database.rows(`SELECT count(*)::integer AS mails, created_at AS at FROM graphile_worker.jobs
    WHERE task_identifier = 'mail' GROUP BY created_at ORDER BY created_at`);
}

it('The outbox gives the queue at most ten mails a second, and loses none', async () => {
  const left = 12;
  await app.database.rows(
    `INSERT INTO mail_outbox (kind, about) SELECT 'order-placed', '0' FROM generate_series(1, $1)`,
    [left],
  );
  let orders = 0;
  // Orders keep coming, a few at a time, while the outbox is emptied and after that.
  await until(async () => {
    await order();
    orders += 1;
    await sleep(betweenMs);
    return (await batches()).length >= 5;
  });
  await until(async () => (await app.database.rows('SELECT FROM mail_outbox')).length === 0);
  const given = await batches();
  expect(given.reduce((sum, { mails }) => sum + mails, 0)).toBe(left + orders);
  expect(Math.max(...given.map(({ mails }) => mails))).toBe(10);
  const gaps = given.slice(1).map(({ at }, nth) => at.getTime() - (given[nth]?.at.getTime() ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThan(900);
});
