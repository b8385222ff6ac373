import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { RefundsService } from '../../src/store/payments/refunds.service.js';
import { SessionOutcomesService } from '../../src/store/payments/session-outcomes.service.js';
import { insertAdmin, insertUser, type InsertedUser } from '../support/accounts.js';
import { ApiClient } from '../support/api-client.js';
import { Deferred } from '../support/deferred.js';
import { HeldTransaction } from '../support/held-transaction.js';
import { deliver, MoneyCalls, pendingOrder } from '../support/payments.js';
import { until } from '../support/receiver.js';
import { type ServiceProcess, startNodeProcess } from '../support/service-process.js';
import { StripeServer } from '../support/stripe-server.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

/** All nodes send browsers to the same address. */
const shop = { PUBLIC_URL: 'https://shop.example.com' };

let stripe: StripeServer;
let app: TestApp;
let dataDir: string;
let node: ServiceProcess;
let doomed: ApiClient;
let user: InsertedUser;
let money: MoneyCalls;
beforeAll(async () => {
  stripe = await StripeServer.start();
  app = await startTestApp({ env: { ...stripe.env, ...shop } });
  money = new MoneyCalls(app, await insertAdmin(app));
  user = await insertUser(app);
  dataDir = await mkdtemp(join(tmpdir(), 'store-payment-kill-'));
});
afterAll(async () => {
  await app.close();
  await stripe.close();
  await rm(dataDir, { recursive: true, force: true });
});
beforeEach(async () => {
  node = await startNodeProcess(app, dataDir, { ...stripe.env, ...shop, PAYMENT_TIMEOUT_SECONDS: '60' });
  doomed = new ApiClient(node.baseUrl, () => undefined);
});
afterEach(async () => {
  stripe.hold?.resolve();
  stripe.hold = undefined;
  await node.stop('SIGKILL');
});

const pay = (id: number, api: ApiClient) =>
  api.post<{ url: string }>(`/api/v1/orders/${id}/payment`, {
    token: user.token,
    headers: { 'idempotency-key': `pay-${id}` },
  });

/** Kills the node while it waits for a row of the order, with the provider's answer in its hands. */
async function killedBeforeCommit(orderId: number, work: () => Promise<unknown>): Promise<void> {
  const held = await HeldTransaction.open(app.database, 'SELECT FROM orders WHERE id = $1 FOR UPDATE', [orderId]);
  const cutOff = work().catch(() => null);
  try {
    await held.blocks(1);
  } finally {
    await node.stop('SIGKILL');
    await cutOff;
    await held.commit();
  }
}

/** Kills the node while the provider has done its work, and holds its answer back. */
async function killedBeforeAnswer(work: () => Promise<unknown>): Promise<void> {
  const before = stripe.requests.length;
  stripe.hold = new Deferred();
  const cutOff = work().catch(() => null);
  await until(() => Promise.resolve(stripe.requests.length > before));
  await node.stop('SIGKILL');
  await cutOff;
  stripe.hold.resolve();
  stripe.hold = undefined;
}

const sentBack = (intent: string | null) => stripe.refunds.filter(({ payment_intent }) => payment_intent === intent);

describe('A node that is killed between the answer of the provider and its commit', () => {
  it('opens the same page for the repeated request', async () => {
    const { order } = await pendingOrder(app, user);
    await killedBeforeAnswer(() => pay(order.id, doomed));
    const first = stripe.sessionOf(order.id);
    expect((await pay(order.id, app.api)).body.url).toBe(first.url);
    expect(
      [...stripe.sessions.values()].filter(({ metadata }) => metadata['order_id'] === String(order.id)),
    ).toHaveLength(1);
  });

  it('loses no payment: the job asks the provider again', async () => {
    const { order } = await pendingOrder(app, user);
    await pay(order.id, app.api);
    const session = stripe.pay(stripe.sessionOf(order.id));
    await killedBeforeCommit(order.id, () => doomed.get(new URL(session.success_url).pathname));
    expect(await money.order(order.id)).toMatchObject({ status: 'pending', paid_total: 0 });
    await app.database.rows('UPDATE payment_sessions SET ask_at = now()');
    await app.nest.get(SessionOutcomesService).askAboutOpen();
    await deliver(app.api, stripe.event('checkout.session.completed', session));
    expect(await money.order(order.id)).toMatchObject({ status: 'paid', paid_total: 30 });
  });

  it('sends a refund once: the job takes it up with the same key', async () => {
    const { order } = await pendingOrder(app, user);
    await pay(order.id, app.api);
    const session = stripe.pay(stripe.sessionOf(order.id));
    await deliver(app.api, stripe.event('checkout.session.completed', session));
    await killedBeforeAnswer(() => money.refund(order.id, { amount: 10 }, 'killed', doomed));
    expect(sentBack(session.payment_intent)).toHaveLength(1);
    const pending = await money.payments(order.id);
    expect([pending.refunds[0]?.status, pending.refunded_total]).toEqual(['pending', 10]);
    await app.database.rows('UPDATE refunds SET ask_at = now()');
    await app.nest.get(RefundsService).takeUp();
    const repeated = await money.refund(order.id, { amount: 10 }, 'killed');
    expect(repeated).toMatchObject({ status: 201, body: { refunds: [{ status: 'done' }] } });
    expect(sentBack(session.payment_intent)).toHaveLength(1);
    expect(await money.order(order.id)).toMatchObject({ refunded_total: 10 });
  });
});
