import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SessionOutcomesService } from '../../../src/store/payments/session-outcomes.service.js';
import type { PaymentRequest } from '../../../src/store/payments/payments.dto.js';
import { RefundsService } from '../../../src/store/payments/refunds.service.js';
import { UnpaidOrders } from '../../../src/store/payments/unpaid-orders.js';
import { insertAdmin, insertUser, type InsertedUser } from '../../support/accounts.js';
import type { ApiClient } from '../../support/api-client.js';
import { fillCart, stockOf } from '../../support/goods.js';
import { placeOrder } from '../../support/checkout.js';
import { deliver, MoneyCalls, pendingOrder } from '../../support/payments.js';
import { StripeServer } from '../../support/stripe-server.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const completed = 'checkout.session.completed';
const minuteMs = 60_000;

let stripe: StripeServer;
let app: TestApp;
let nodes: ApiClient[];
let user: InsertedUser;
let money: MoneyCalls;
beforeAll(async () => {
  stripe = await StripeServer.start();
  app = await startTestApp({ env: { ...stripe.env, ORDER_UNPAID_MINUTES: '30' } });
  nodes = [app.api, (await app.anotherNode()).api];
  money = new MoneyCalls(app, await insertAdmin(app));
});
afterAll(async () => {
  await app.close();
  await stripe.close();
});
beforeEach(async () => {
  user = await insertUser(app);
});
afterEach(() => {
  stripe.mood = 'well';
});

const pay = (id: number, json: object = {}, key?: string, api = app.api) =>
  api.post<PaymentRequest>(`/api/v1/orders/${id}/payment`, {
    token: user.token,
    json,
    headers: key === undefined ? {} : { 'idempotency-key': key },
  });

/** An order whose payment page is open. */
async function openOrder(goods?: Parameters<typeof pendingOrder>[2]) {
  const scene = await pendingOrder(app, user, goods);
  expect((await pay(scene.order.id)).status).toBe(200);
  return { ...scene, id: scene.order.id, session: stripe.sessionOf(scene.order.id) };
}

async function paidOrder() {
  const scene = await openOrder();
  await deliver(app.api, stripe.event(completed, stripe.pay(scene.session)));
  return scene;
}

/** The browser comes back from the provider's page. */
const comesBack = ({ success_url }: { success_url: string }, api = app.api) => api.get(new URL(success_url).pathname);

const makeDue = (table: string) => app.database.rows(`UPDATE ${table} SET ask_at = now()`);
async function askAboutOpen(): Promise<void> {
  await makeDue('payment_sessions');
  await app.nest.get(SessionOutcomesService).askAboutOpen();
}
async function takeUpRefunds(): Promise<void> {
  await makeDue('refunds');
  await app.nest.get(RefundsService).takeUp();
}

describe('Paying an order by Stripe', () => {
  it('opens a page for what is due, and the same one again', async () => {
    const { id, session } = await openOrder({ price: 12.34, quantity: 2 });
    expect(session).toMatchObject({ amount_total: 2_468, currency: 'usd', mode: 'payment' });
    const { body } = await pay(id);
    expect(body).toEqual({ provider: 'stripe', url: session.url, expires_at: expect.any(String) });
    expect(stripe.sessionOf(id)).toBe(session);
  });

  it('opens one page for two tabs on two nodes, and for a repeated key', async () => {
    const { order } = await pendingOrder(app, user);
    const tabs = await Promise.all(nodes.map((api) => pay(order.id, {}, undefined, api)));
    expect(new Set(tabs.map(({ body }) => body.url)).size).toBe(1);
    const keyed = [await pay(order.id, {}, 'pay-1'), await pay(order.id, {}, 'pay-1')];
    expect(keyed.map(({ body }) => body.url)).toEqual([tabs[0]?.body.url, tabs[0]?.body.url]);
    expect((await pay(order.id, { return_url: 'http://localhost:1/' }, 'pay-1')).status).toBe(422);
  });

  it('says why Stripe does not take it', async () => {
    const { order } = await pendingOrder(app, user, { price: 0.1, quantity: 1 });
    expect(await pay(order.id)).toMatchObject({ status: 409, body: { code: 'payment_refused' } });
  });

  it.each(['broken', 'broken-after', 'silent', 'away'] as const)(
    'answers 502 where Stripe is %s, and works afterwards',
    async (mood) => {
      const { order } = await pendingOrder(app, user);
      stripe.mood = mood;
      expect((await pay(order.id, {}, `mood-${mood}`)).status).toBe(502);
      stripe.mood = 'well';
      expect((await pay(order.id, {}, `mood-${mood}`)).status).toBe(200);
    },
  );
});

describe('POST /api/v1/payments/stripe/webhook', () => {
  it('makes the order paid, once, however often it comes', async () => {
    const { id, session } = await openOrder();
    const event = stripe.event(completed, stripe.pay(session));
    for (const api of [...nodes, ...nodes]) expect((await deliver(api, event)).status).toBe(200);
    expect(await money.order(id)).toMatchObject({ status: 'paid', paid_total: 30 });
    const { payments } = await money.payments(id);
    expect(payments).toMatchObject([{ provider: 'stripe', reference: session.payment_intent, amount: 30 }]);
  });

  it('waits for money that comes later, and tells of money that does not', async () => {
    const [one, other] = [await openOrder(), await openOrder()];
    for (const { session } of [one, other]) await deliver(app.api, stripe.event(completed, stripe.promise(session)));
    expect(await money.order(one.id)).toMatchObject({ status: 'pending', paid_total: 0 });
    await deliver(app.api, stripe.event('checkout.session.async_payment_succeeded', stripe.pay(one.session)));
    expect(await money.order(one.id)).toMatchObject({ status: 'paid', paid_total: 30 });
    await deliver(app.api, stripe.event('checkout.session.async_payment_failed', other.session));
    expect(await money.order(other.id)).toMatchObject({ status: 'pending', payment_problem: 'payment_failed' });
    expect((await pay(other.id)).body.url).not.toBe(other.session.url);
  });

  it('comes in any order: paid after it expired is paid', async () => {
    const { id, session } = await openOrder();
    await deliver(app.api, stripe.event('checkout.session.expired', { ...session, status: 'expired' }));
    expect(await money.order(id)).toMatchObject({ status: 'pending', payment_problem: null });
    await deliver(app.api, stripe.event(completed, stripe.pay(session)));
    await deliver(app.api, stripe.event('checkout.session.expired', { ...session, status: 'expired' }));
    expect(await money.order(id)).toMatchObject({ status: 'paid', paid_total: 30 });
  });

  it('does not count money in another currency, and tells so', async () => {
    const { id, session } = await openOrder();
    await deliver(app.api, stripe.event(completed, { ...stripe.pay(session), currency: 'eur' }));
    expect(await money.order(id)).toMatchObject({ paid_total: 0, payment_problem: 'other_currency' });
  });

  it("ignores another shop's sessions, and events about other things", async () => {
    const { id, session } = await openOrder();
    const paid = stripe.pay(session);
    const strangers = [
      { ...paid, client_reference_id: null },
      { ...paid, client_reference_id: 'cart-77' },
      { ...paid, client_reference_id: '0199a001-0000-7000-8000-000000000001' },
      { ...paid, id: 'cs_of_another_shop' },
    ];
    for (const stranger of strangers)
      expect((await deliver(app.api, stripe.event(completed, stranger))).status).toBe(200);
    expect((await deliver(app.api, stripe.event('charge.succeeded', paid))).status).toBe(200);
    expect(await money.order(id)).toMatchObject({ paid_total: 0 });
  });

  it.each([
    ['signed with another secret', { key: 'whsec_of_another_shop' }],
    ['replayed after a year', { atMs: Date.now() - 365 * 24 * 60 * minuteMs }],
    ['older than five minutes', { atMs: Date.now() - 6 * minuteMs }],
  ])('refuses an event that is %s', async (_what, options) => {
    const { id, session } = await openOrder();
    const event = stripe.event(completed, stripe.pay(session), options);
    expect(await deliver(app.api, event)).toMatchObject({ status: 400, body: { code: 'webhook_refused' } });
    expect(await money.order(id)).toMatchObject({ paid_total: 0 });
  });

  it('takes an event by a clock that is minutes off', async () => {
    const { id, session } = await openOrder();
    const early = stripe.event(completed, stripe.pay(session), { atMs: Date.now() - 4 * minuteMs });
    expect((await deliver(app.api, early)).status).toBe(200);
    const late = stripe.event(completed, session, { atMs: Date.now() + 5 * minuteMs });
    expect((await deliver(app.api, late)).status).toBe(200);
    expect(await money.order(id)).toMatchObject({ paid_total: 30 });
  });

  it('refuses what was changed, unsigned, empty or too large', async () => {
    const { session } = await openOrder();
    const { body, headers } = stripe.event(completed, stripe.pay(session));
    const changed = body.replace('3000', '3001');
    expect((await deliver(app.api, { body: changed, headers })).status).toBe(400);
    expect((await deliver(app.api, { body, headers: {} })).status).toBe(400);
    expect((await deliver(app.api, { body: '', headers })).status).toBe(400);
    expect((await deliver(app.api, { body: ' '.repeat(300_000), headers })).status).toBe(413);
  });
});

describe('A browser that comes back', () => {
  it('finds the payment without a webhook', async () => {
    const { id, session } = await openOrder();
    expect(await comesBack(session)).toMatchObject({ status: 200, body: expect.stringContaining('not arrived yet') });
    stripe.pay(session);
    const page = await comesBack(session);
    expect(page.body).toContain('your payment has arrived');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await money.order(id)).toMatchObject({ status: 'paid', paid_total: 30 });
  });

  it('goes on to the page of the shop front', async () => {
    const { order } = await pendingOrder(app, user);
    await pay(order.id, { return_url: 'http://localhost:5173/orders?x=1' });
    const { status, headers } = await comesBack(stripe.sessionOf(order.id));
    const location = `http://localhost:5173/orders?x=1&order=${order.id}&payment=open`;
    expect([status, headers.get('location')]).toEqual([303, location]);
  });

  it('asks Stripe once for many at a time, and sees a page while it is away', async () => {
    const { session } = await openOrder();
    const before = stripe.requests.length;
    await Promise.all(Array.from({ length: 8 }, () => comesBack(session)));
    expect(stripe.requests.length - before).toBeLessThan(8);
    stripe.mood = 'away';
    expect((await comesBack(session)).status).toBe(200);
    expect((await app.api.get('/payments/0199a001-0000-7000-8000-000000000001')).status).toBe(404);
  });

  it('is one payment with the webhook, whichever is first', async () => {
    for (let round = 0; round < 6; round++) {
      const { id, session } = await openOrder();
      const event = stripe.event(completed, stripe.pay(session));
      await Promise.all([comesBack(session, nodes[round % 2]), deliver(nodes[(round + 1) % 2] ?? app.api, event)]);
      expect(await money.order(id)).toMatchObject({ status: 'paid', paid_total: 30 });
      expect((await money.payments(id)).payments).toHaveLength(1);
    }
  });
});

describe('The jobs of payments', () => {
  it('find a payment of which nobody told', async () => {
    const { id, session } = await openOrder();
    stripe.pay(session);
    await askAboutOpen();
    expect(await money.order(id)).toMatchObject({ status: 'paid', paid_total: 30 });
  });

  it('leave a session open while Stripe is away, and ask less and less often', async () => {
    const { session } = await openOrder();
    stripe.mood = 'broken';
    await askAboutOpen();
    const [row] = await app.database.rows<{ status: string; later: boolean }>(
      `SELECT status, ask_at > now() + interval '50 seconds' AS later FROM payment_sessions WHERE reference = $1`,
      [session.id],
    );
    expect(row).toEqual({ status: 'open', later: true });
  });

  it('end a page that was left open for a day', async () => {
    const { id, session } = await openOrder();
    await app.database.rows(`UPDATE payment_sessions SET expires_at = now() WHERE reference = $1`, [session.id]);
    await askAboutOpen();
    expect(session.status).toBe('expired');
    expect((await pay(id)).body.url).not.toBe(session.url);
  });

  it('end a page whose order was cancelled, so that nobody pays for it', async () => {
    const { id, session } = await openOrder();
    await app.api.post(`/api/v1/orders/${id}/cancel`, { token: user.token });
    await askAboutOpen();
    expect(session.status).toBe('expired');
  });
});

describe('A payment for a cancelled order', () => {
  it('is kept, told and refundable', async () => {
    const { id, session } = await openOrder();
    await Promise.all([
      app.api.post(`/api/v1/orders/${id}/cancel`, { token: user.token }),
      deliver(nodes[1] ?? app.api, stripe.event(completed, stripe.pay(session))),
    ]);
    const order = await money.order(id);
    expect(order.paid_total).toBe(30);
    // The owner may cancel only a pending order: the later of both decides.
    if (order.status === 'paid') await money.setStatus(id, 'cancelled');
    expect(await money.order(id)).toMatchObject({ status: 'cancelled', payment_problem: 'paid_but_cancelled' });
    const { body } = await money.refund(id, { amount: 30 });
    expect(body.refunds).toMatchObject([{ status: 'done', by_hand: false, reference: expect.stringMatching(/^re_/) }]);
    expect(await money.order(id)).toMatchObject({ refunded_total: 30, payment_problem: null });
  });
});

describe('Refunds by Stripe', () => {
  it('send the money back once, also for a repeated key', async () => {
    const { id, session } = await paidOrder();
    for (let n = 0; n < 2; n++) expect((await money.refund(id, { amount: 12.5 }, 'once')).status).toBe(201);
    const sent = stripe.refunds.filter(({ payment_intent }) => payment_intent === session.payment_intent);
    expect(sent.map(({ amount }) => amount)).toEqual([1_250]);
  });

  it.each(['silent', 'away', 'broken', 'broken-after'] as const)(
    'stay pending where Stripe is %s, and send the money once afterwards',
    async (mood) => {
      const { id, session, product, item } = await paidOrder();
      stripe.mood = mood;
      const { status, body } = await money.refund(id, { lines: [{ item_id: item, quantity: 1 }] });
      expect([status, body.refunds[0]?.status]).toEqual([201, 'pending']);
      expect(await money.order(id)).toMatchObject({ refunded_total: 10 });
      expect(await stockOf(app, product)).toBe(7);
      stripe.mood = 'well';
      await takeUpRefunds();
      const { refunds } = await money.payments(id);
      const sent = stripe.refunds.filter(({ payment_intent }) => payment_intent === session.payment_intent);
      if (mood === 'broken') {
        // Stripe repeats its error for that key for a day.
        expect([refunds[0]?.status, sent.length]).toEqual(['pending', 0]);
        return;
      }
      expect([refunds[0]?.status, sent.length]).toEqual(['done', 1]);
      expect(await stockOf(app, product)).toBe(8);
    },
  );

  it('say that they are to be paid back by hand where Stripe refuses', async () => {
    const { id, session } = await paidOrder();
    stripe.refunds.push({
      id: 're_by_dashboard',
      object: 'refund',
      amount: 3_000,
      currency: 'usd',
      payment_intent: session.payment_intent ?? '',
      metadata: {},
      status: 'succeeded',
    });
    const { status, body } = await money.refund(id, { amount: 30 });
    expect([status, body]).toEqual([
      409,
      { code: 'refund_refused', detail: expect.stringContaining('Record it and pay it back by hand') },
    ]);
    expect(await money.order(id)).toMatchObject({ refunded_total: 0, payment_problem: 'refund_failed' });
    const byHand = await money.refund(id, { amount: 30, by_hand: true });
    expect(byHand.body).toMatchObject({ refunds: [{ status: 'done', by_hand: true }], order: { status: 'refunded' } });
  });

  it('refuse in one of two at once on two nodes', async () => {
    const { id, session } = await paidOrder();
    const answers = await Promise.all(nodes.map((api) => money.refund(id, { amount: 20 }, undefined, api)));
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([201, 409]);
    const sent = stripe.refunds.filter(({ payment_intent }) => payment_intent === session.payment_intent);
    expect(sent).toHaveLength(1);
  });
});

describe('ORDER_UNPAID_MINUTES', () => {
  const age = (id: number) =>
    app.database.rows(`UPDATE orders SET created_at = now() - interval '31 minutes' WHERE id = $1`, [id]);
  const cancelUnpaid = () => app.nest.get(UnpaidOrders).cancel();

  it('cancels what nobody paid, returns its pieces, and ends its page', async () => {
    const [old, young] = [await openOrder(), await openOrder()];
    await age(old.id);
    await cancelUnpaid();
    expect(await money.order(old.id)).toMatchObject({ status: 'cancelled' });
    expect([await stockOf(app, old.product), old.session.status]).toEqual([10, 'expired']);
    expect(await money.order(young.id)).toMatchObject({ status: 'pending' });
  });

  it('leaves orders that were paid in part, whose money is on its way, or that Stripe does not tell about', async () => {
    const [part, promised, unknown] = [await openOrder(), await openOrder(), await openOrder()];
    await money.record(part.id, { amount: 1 });
    stripe.promise(promised.session);
    for (const { id } of [part, promised]) await age(id);
    await cancelUnpaid();
    stripe.mood = 'away';
    await age(unknown.id);
    await cancelUnpaid();
    for (const { id } of [part, promised, unknown]) expect(await money.order(id)).toMatchObject({ status: 'pending' });
  });

  it('leaves orders that cost nothing', async () => {
    const { order } = await pendingOrder(app, user, { price: 0 });
    await age(order.id);
    await cancelUnpaid();
    expect(await money.order(order.id)).toMatchObject({ status: 'pending' });
  });

  it('finds a payment instead of cancelling its order', async () => {
    const { id, session } = await openOrder();
    stripe.pay(session);
    await age(id);
    await cancelUnpaid();
    expect(await money.order(id)).toMatchObject({ status: 'paid', paid_total: 30 });
  });

  it('lets one of it and a payment win, and loses no money', async () => {
    for (let round = 0; round < 5; round++) {
      const { id, product, session } = await openOrder();
      await age(id);
      const event = stripe.event(completed, stripe.pay(session));
      await Promise.all([cancelUnpaid(), deliver(nodes[1] ?? app.api, event)]);
      expect(await money.order(id)).toMatchObject({ status: 'paid', paid_total: 30 });
      expect(await stockOf(app, product)).toBe(7);
    }
  });

  it('sells the last piece to the other one, and keeps the money of the late one for a refund', async () => {
    const late = await openOrder({ quantity: 1, stock: 1 });
    await age(late.id);
    await cancelUnpaid();
    const owner = user;
    user = await insertUser(app);
    await fillCart(app, user, [late.product], 1);
    const { body: order } = await placeOrder(app.api, user);
    expect((await pay(order.id)).status).toBe(200);
    const events = [late.session, stripe.sessionOf(order.id)].map((one) => stripe.event(completed, stripe.pay(one)));
    await Promise.all(events.map((event, n) => deliver(nodes[n] ?? app.api, event)));
    expect(await money.order(order.id)).toMatchObject({ status: 'paid', paid_total: 10 });
    const problem = { status: 'cancelled', paid_total: 10, payment_problem: 'paid_but_cancelled' };
    expect(await money.order(late.id)).toMatchObject(problem);
    expect(await stockOf(app, late.product)).toBe(0);
    expect((await money.refund(late.id, { amount: 10 })).status).toBe(201);
    user = owner;
  });
});
