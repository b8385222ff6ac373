import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { JobQueue } from '../../src/platform/jobs/job-queue.js';
import { NodesService } from '../../src/store/nodes/nodes.service.js';
import { insertUser } from '../support/accounts.js';
import { checkout } from '../support/checkout.js';
import { fillCart, insertProduct } from '../support/goods.js';
import { HeldTransaction } from '../support/held-transaction.js';
import { type Receiver, startReceiver, until } from '../support/receiver.js';
import { StoreWebhookCalls } from '../support/store-webhooks.js';
import { admin, type ConsoleScene, startConsoleScene } from './console-scene.js';

let scene: ConsoleScene;
let receiver: Receiver;
let page: Page & { faults: string[] };
let clicks: number;

beforeAll(async () => {
  const env = { DEMO_DATA: 'false', BACKUP_SCHEDULE: '0 3 * * *', EGRESS_ALLOW: '127.0.0.1' };
  scene = await startConsoleScene({ env, jobs: true });
  receiver = await startReceiver();
  page = await scene.signIn(admin);
});
beforeEach(async () => {
  await page.goto(`${scene.app.baseUrl}/console/shop`);
  await screens().waitFor();
  clicks = 0;
});
afterAll(async () => {
  await scene?.close();
  await receiver?.close();
});

const screens = () => page.getByRole('navigation', { name: 'Screens' });
const region = (name: string) => page.getByRole('region', { name, exact: true });
const click = (target: Locator): Promise<void> => {
  clicks += 1;
  return target.click();
};
const openOperation = () => click(screens().getByRole('link', { name: 'Operation', exact: true }));
const openRequests = async () => {
  await openOperation();
  await click(page.getByRole('link', { name: 'Requests', exact: true }));
};
const isNoted = (url: string) =>
  until(
    async () => (await scene.app.database.rows('SELECT FROM noted_requests WHERE url = $1', [url])).length > 0,
    `a note of ${url}`,
  );

/** As docs/operator.md counts the clicks, from the page after the sign-in. */
describe("An operator's question", () => {
  it('why an order was refused takes three clicks', async () => {
    const buyer = await insertUser(scene.app, { username: 'dana' });
    await fillCart(scene.app, buyer, [await insertProduct(scene.app, { name: 'Linen shirt', stock: 1 })], 2);
    const { status, body } = await checkout(scene.app.api, buyer);
    expect(status).toBe(409);
    await isNoted('/api/v1/orders/checkout');
    await openRequests();
    await click(page.getByRole('row').filter({ hasText: 'dana' }).first());
    const drawer = page.getByRole('dialog', { name: /^Request / });
    await drawer.getByText((body as unknown as { detail: string }).detail).waitFor();
    await drawer.getByText('insufficient_stock').waitFor();
    expect(clicks).toBe(3);
  });

  it('why it is slow takes one click to the statement, and two to the request', async () => {
    const buyer = await insertUser(scene.app);
    const held = await HeldTransaction.open(scene.app.database, 'LOCK TABLE carts IN ACCESS EXCLUSIVE MODE');
    const answer = scene.app.api.get('/api/v1/cart/', { token: buyer.token });
    await held.blocks(1);
    // More than a second is what makes a request slow.
    await held.query('SELECT pg_sleep(1.2)');
    await held.commit();
    expect((await answer).status).toBe(200);
    await isNoted('/api/v1/cart/');
    // As it does twice a minute.
    await scene.app.nest.get(NodesService, { strict: false }).tell();
    await openOperation();
    await page
      .getByRole('grid', { name: 'Slow statements' })
      .getByText(/FROM carts|cart\./)
      .first()
      .waitFor();
    expect(clicks).toBe(1);
    await click(page.getByRole('link', { name: 'Requests', exact: true }));
    await page.getByRole('combobox', { name: 'Kind' }).selectOption({ label: 'Slow' });
    await page.getByRole('row').filter({ hasText: buyer.username }).getByText(/\d ms/).waitFor();
    expect(clicks).toBe(2);
  });

  it('which webhook fails takes two clicks to what its receiver answered', async () => {
    receiver.answer = (response) => response.writeHead(500).end();
    const calls = await StoreWebhookCalls.of(scene.app);
    const { id } = await calls.made(receiver.url);
    const buyer = await insertUser(scene.app);
    await fillCart(scene.app, buyer, [await insertProduct(scene.app)], 1);
    expect((await checkout(scene.app.api, buyer)).status).toBe(201);
    const failing = 'SELECT FROM store_webhooks WHERE id = $1 AND failing_since IS NOT NULL';
    await until(async () => (await scene.app.database.rows(failing, [id])).length > 0, 'a failed delivery');
    await openOperation();
    await region('Receivers that fail').getByText('failing since').waitFor();
    await click(region('Receivers that fail').getByRole('link', { name: receiver.url }));
    await page.getByRole('main').getByText('500').first().waitFor();
    expect(clicks).toBe(2);
  });

  it('whether the queue is behind takes one click, and what waits stands before what is for later', async () => {
    const queue = scene.app.nest.get(JobQueue, { strict: false });
    // No node has this task, so that nobody takes its job.
    await queue.add('printing', {}, { runAt: new Date(Date.now() - 120_000) });
    const late = () => scene.app.api.get<{ jobs: string }>('/health');
    await until(async () => (await late()).body.jobs === 'late', 'a queue that is behind');
    await openOperation();
    await region('Checks').getByText('Jobs wait for more than a minute (printing)').waitFor();
    const [first] = await region('Queue').getByRole('listitem').allInnerTexts();
    expect(first).toMatch(/^printing\s+1 due, the oldest for 2 min/);
    await region('Queue')
      .getByText(/^Tasks with jobs for later: \d+$/)
      .waitFor();
    expect(await region('Queue').getByText('backup-schedule').isVisible()).toBe(false);
    expect(clicks).toBe(1);
  });

  it('when the last backup was takes one click, also where the newest one failed', async () => {
    await scene.app.database.rows(
      `INSERT INTO backups (id, begun_at, ended_at, outcome, name, bytes, reason)
       VALUES (gen_random_uuid(), now() - interval '26 hours', now(), 'kept', 'store-kept.backup', 5000, NULL),
              (gen_random_uuid(), now() - interval '30 minutes', now(), 'failed', NULL, NULL, 'the disk is full')`,
    );
    await openOperation();
    await region('Checks').getByText('The last backup failed: the disk is full').waitFor();
    const [newest, before] = await region('Backups').getByRole('listitem').allInnerTexts();
    expect(newest).toMatch(/^3\d min\. ago\s[^]*the disk is full\s[^]*Failed$/);
    expect(before).toMatch(/^yesterday\s[^]*store-kept\.backup\s[^]*Kept$/);
    expect(clicks).toBe(1);
    expect(page.faults).toEqual([]);
  });
});
