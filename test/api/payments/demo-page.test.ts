import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { PaymentRequest } from '../../../src/store/payments/payments.dto.js';
import type { OrderTimeline } from '../../../src/store/orders/order-timeline.dto.js';
import { insertAdmin, insertUser, type InsertedUser } from '../../support/accounts.js';
import { allMailsSent, type MailServer, startMailServer } from '../../support/mail-server.js';
import { MoneyCalls, pendingOrder } from '../../support/payments.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const shopName = `Tom & "Jerry" <script>alert(1)</script>`;
const returnUrl = 'http://localhost:5173/orders';

let server: MailServer;
let app: TestApp;
let user: InsertedUser;
let money: MoneyCalls;
beforeAll(async () => {
  server = await startMailServer();
  app = await startTestApp({ env: { ...server.env, DEMO_DATA: 'true', SHOP_NAME: shopName }, jobs: true });
  money = new MoneyCalls(app, await insertAdmin(app));
});
afterAll(async () => {
  await app.close();
  await server.close();
});
beforeEach(async () => {
  user = await insertUser(app);
});

/** An order, and the path of the page on which it is paid. */
async function openOrder(json: object = {}): Promise<{ id: number; path: string }> {
  const { order } = await pendingOrder(app, user);
  const { body } = await app.api.post<PaymentRequest>(`/api/v1/orders/${order.id}/payment`, {
    token: user.token,
    json,
  });
  expect(body.provider).toBe('demo');
  return { id: order.id, path: new URL(body.url ?? '').pathname };
}

const choose = (path: string, choice: string) =>
  app.api.post(path, { raw: `choice=${choice}`, headers: { 'content-type': 'application/x-www-form-urlencoded' } });

const mails = async () => {
  await allMailsSent(app);
  return server.mailsTo(user.email);
};

describe('The page of the demo gateway', () => {
  it('shows the order without scripts, and escapes what it shows', async () => {
    const { id, path } = await openOrder();
    const { status, headers, body } = await app.api.get<string>(path);
    expect(status).toBe(200);
    expect(body).toContain(`Order ${id}: <strong>$30.00</strong>`);
    expect(body).toContain('Tom &amp; &quot;Jerry&quot; &lt;script&gt;');
    expect(body).not.toMatch(/<script|\son\w+=/);
    const policy = headers.get('content-security-policy');
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; base-uri 'none'/);
  });

  it('speaks the language that the shop front names, or else that of the browser', async () => {
    const { id, path } = await openOrder();
    const seen = async (address: string, liked: string) => {
      const { body } = await app.api.get<string>(address, { headers: { 'accept-language': liked } });
      return [/<html lang="(\w+)">/.exec(body)?.[1], body.includes(`Bestellung ${id}: <strong>30,00\u00a0$</strong>`)];
    };
    expect(await seen(`${path}?lang=de`, 'en')).toEqual(['de', true]);
    expect(await seen(path, 'fr, de-AT;q=0.8, en;q=0.5')).toEqual(['de', true]);
    expect(await seen(path, 'fr')).toEqual(['en', false]);
    expect(await seen(`${path}?lang=en`, 'de')).toEqual(['en', false]);
    const { body } = await app.api.get<string>(path, { headers: { 'accept-language': 'de' } });
    const action = /<form method="post" action="([^"]+)">/.exec(body)?.[1] ?? '';
    const { headers } = await choose(new URL(action, `http://shop${path}`).href.replace('http://shop', ''), 'pay');
    const afterwards = headers.get('location') ?? '';
    expect((await app.api.get(afterwards)).body).toContain('Danke: Ihre Zahlung ist da.');
    expect((await app.api.get(`${path}?lang=${'de'.repeat(3_000)}`)).status).toBe(422);
    expect((await app.api.get(`${path}?lang=fr`)).status).toBe(422);
    expect((await app.api.get(`${path}?utm_source=mail`)).status).toBe(200);
  });

  it('pays the order, once, and says so by mail', async () => {
    const { id, path } = await openOrder();
    for (let n = 0; n < 3; n++) {
      const { status, headers } = await choose(path, 'pay');
      expect([status, headers.get('location')]).toEqual([303, `${path.replace('/demo', '')}?lang=en`]);
    }
    expect(await money.order(id)).toMatchObject({ status: 'paid', paid_total: 30 });
    expect((await app.api.get(path.replace('/demo', ''))).body).toContain('your payment has arrived');
    const paid = (await mails()).filter(({ subject }) => subject === `Your order ${id} is paid`);
    expect(paid).toHaveLength(1);
    expect(paid[0]?.text).toMatch(/Paid: +\$30\.00\n/);
  });

  it('declines, tells so by mail, and lets the order be paid on another page', async () => {
    const { id, path } = await openOrder();
    await choose(path, 'decline');
    expect(await money.order(id)).toMatchObject({ status: 'pending', payment_problem: 'payment_failed' });
    expect((await app.api.get(path)).body).toContain('did not go through');
    const subjects = (await mails()).map(({ subject }) => subject);
    expect(subjects.sort()).toEqual([`The payment of your order ${id} failed`, `Your order ${id}`]);
    await choose(path, 'pay');
    expect(await money.order(id)).toMatchObject({ paid_total: 0 });
    const { body } = await app.api.post<PaymentRequest>(`/api/v1/orders/${id}/payment`, { token: user.token });
    await choose(new URL(body.url ?? '').pathname, 'pay');
    expect(await money.order(id)).toMatchObject({ status: 'paid', payment_problem: null });
  });

  it('leads to the page of the shop front, of which alone its form may', async () => {
    const { id, path } = await openOrder({ return_url: returnUrl });
    const policy = (await app.api.get(path)).headers.get('content-security-policy');
    expect(policy).toContain("form-action 'self' http://localhost:5173;");
    await choose(path, 'pay');
    const { headers } = await app.api.get(path.replace('/demo', ''));
    expect(headers.get('location')).toBe(`${returnUrl}?order=${id}&payment=paid`);
  });

  it('refuses other choices and unknown payments', async () => {
    const { path } = await openOrder();
    expect((await choose(path, 'steal')).status).toBe(422);
    const unknown = '/payments/demo/0199a001-0000-7000-8000-000000000001';
    expect((await app.api.get(unknown)).status).toBe(404);
    expect((await choose(unknown, 'pay')).status).toBe(404);
    expect((await app.api.get('/payments/demo/7')).status).toBe(422);
  });
});

describe('Refunds of a demo payment', () => {
  it('go back by the demo, and tell the amount by mail', async () => {
    const { id, path } = await openOrder();
    await choose(path, 'pay');
    await mails();
    const { body } = await money.refund(id, { amount: 12.5 });
    expect(body.refunds).toMatchObject([
      { status: 'done', by_hand: false, reference: expect.stringMatching(/^demo_/) },
    ]);
    const mail = (await mails()).find(({ subject }) => subject === `A refund of your order ${id}`);
    expect(mail?.text).toMatch(/Refund: +\$12\.50\n/);
    const { body: timeline } = await app.api.get<OrderTimeline>(`/api/v1/admin/orders/${id}/timeline`, {
      token: (await insertAdmin(app)).token,
    });
    expect(timeline.events.filter(({ what }) => what === 'mail_sent').map(({ text }) => text)).toEqual([
      'paid',
      'refunded',
    ]);
  });
});
