import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { UnitOfWork } from '../../../src/database/unit-of-work.js';
import { CheckoutService } from '../../../src/store/orders/checkout.service.js';
import type { Order } from '../../../src/store/orders/orders.dto.js';
import { insertAdmin, insertUser, type InsertedUser } from '../../support/accounts.js';
import { auditedBy } from '../../support/audit.js';
import { checkout, placeOrder } from '../../support/checkout.js';
import { fillCart, insertCoupon, insertProduct } from '../../support/goods.js';
import { allMailsSent, type MailServer, startMailServer } from '../../support/mail-server.js';
import { MoneyCalls } from '../../support/payments.js';
import type { ReceivedMail } from '../../support/received-mail.js';
import { until } from '../../support/receiver.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const unsafeName = 'Linen <b>& more</b> at evil.example';

let server: MailServer;
let app: TestApp;
let admin: InsertedUser;
let user: InsertedUser;
beforeAll(async () => {
  server = await startMailServer();
  app = await startTestApp({ env: server.env, jobs: true });
  admin = await insertAdmin(app);
});
afterAll(async () => {
  await app.close();
  await server.close();
});
beforeEach(async () => {
  user = await insertUser(app);
});

/** The mails to the user, once no more are being sent. */
async function sent(): Promise<ReceivedMail[]> {
  await allMailsSent(app);
  return server.mailsTo(user.email);
}

const subjects = async () => (await sent()).map(({ subject }) => subject);

async function confirmAddress(): Promise<void> {
  await app.database.rows('UPDATE users SET email_verified = true WHERE id = $1', [user.id]);
}

async function order(choices: Parameters<typeof checkout>[2] = {}, name = 'Linen shirt'): Promise<Order> {
  await fillCart(app, user, [await insertProduct(app, { name })], 2);
  return (await checkout(app.api, user, choices)).body;
}

const setStatus = (id: number, status: string) =>
  app.api.put<Order>(`/api/v1/admin/orders/${id}/status?new_status=${status}`, { token: admin.token });

describe('A placed order', () => {
  it('is confirmed to its owner by mail, with its lines and its shipping address', async () => {
    await confirmAddress();
    await insertCoupon(app, 'MAILED10');
    const { id } = await order({ coupon: 'MAILED10' }, unsafeName);
    const [mail, ...others] = await sent();
    expect(others).toEqual([]);
    expect(mail?.subject).toBe(`Your order ${id}`);
    for (const text of [
      `2 × ${unsafeName}`,
      '$49.90 each',
      'Discount (MAILED10):',
      '-$9.98',
      'Ada Lovelace',
      '01101',
    ]) {
      expect(mail?.text).toContain(text);
    }
    expect(mail?.text).toMatch(/Total: +\$95\.81\n/);
    expect(mail?.html).toContain('Linen &lt;b&gt;&amp; more&lt;/b&gt;');
    expect(mail?.html).not.toContain('<b>');
  });

  it('is confirmed once, however often its request is repeated', async () => {
    const { id } = await order({ key: 'mailed-once' });
    expect((await checkout(app.api, user, { key: 'mailed-once' })).body.id).toBe(id);
    expect(await subjects()).toEqual([`Your order ${id}`]);
  });

  it('is confirmed also without shipping', async () => {
    await fillCart(app, user, [await insertProduct(app)]);
    const { id } = (await placeOrder(app.api, user)).body;
    expect(await subjects()).toEqual([`Your order ${id}`]);
  });

  it('is not confirmed when refused or rolled back', async () => {
    await fillCart(app, user, [await insertProduct(app, { stock: 1 })], 2);
    expect((await placeOrder(app.api, user)).status).toBe(409);
    const buyer = await insertUser(app);
    await fillCart(app, buyer, [await insertProduct(app)]);
    const caller = { id: buyer.id, role: 'user' } as Parameters<CheckoutService['create']>[0];
    const undone = app.nest.get(UnitOfWork).run(async () => {
      await app.nest.get(CheckoutService).create(caller, null);
      throw new Error('rolled back');
    });
    await expect(undone).rejects.toThrow('rolled back');
    expect(await subjects()).toEqual([]);
    expect(server.mailsTo(buyer.email)).toEqual([]);
  });

  it('sends an unconfirmed address no text that a stranger could have written, and only so many mails', async () => {
    await order({ shipping: { first_name: 'You won' } }, unsafeName);
    const [mail] = await sent();
    expect(mail?.text).toContain('evil. example');
    expect(mail?.text).not.toMatch(/evil\.example|You won/);
    for (let n = 1; n < 7; n++) await order();
    expect(await subjects()).toHaveLength(5);
  });

  it('is not confirmed once its account is deleted or it is cancelled', async () => {
    server.always = { at: 'recipient', does: 451 };
    const { id } = await order();
    const owner = user;
    user = await insertUser(app);
    await order();
    await until(async () => {
      const jobs = await app.database.rows(
        `SELECT FROM graphile_worker.jobs WHERE task_identifier = 'mail' AND attempts > 0 AND locked_at IS NULL`,
      );
      return jobs.length === 2;
    });
    expect((await app.api.post(`/api/v1/orders/${id}/cancel`, { token: owner.token })).status).toBe(200);
    await app.database.rows('UPDATE users SET deleted_at = now() WHERE id = $1', [user.id]);
    server.always = undefined;
    await app.database.rows('UPDATE graphile_worker._private_jobs SET run_at = now()');
    await allMailsSent(app);
    expect([...server.mailsTo(owner.email), ...server.mailsTo(user.email)]).toEqual([]);
  });
});

describe('A shipped order', () => {
  it('is announced to its owner once, unlike any other status', async () => {
    await confirmAddress();
    const { id } = await order();
    for (const status of [
      'paid',
      'processing',
      'shipped',
      'SHIPPED',
      'on the way',
      'shipped',
      'delivered',
      'refunded',
    ]) {
      expect((await setStatus(id, status)).status).toBe(200);
      // Each mail describes the order as it is when the mail is sent.
      await sent();
    }
    expect(await subjects()).toEqual([`Your order ${id}`, `Your order ${id} was shipped`]);
    const [, mail] = await sent();
    expect(mail?.text).toContain('2 × Linen shirt');
    expect(mail?.text).toMatch(/Expected: +[A-Z][a-z]{2} \d{1,2}, \d{4}\n/);
  });

  it('is announced once when two admins ship it concurrently', async () => {
    const { id } = await order();
    await Promise.all([setStatus(id, 'shipped'), setStatus(id, 'shipped'), setStatus(id, 'shipped')]);
    expect((await subjects()).filter((subject) => subject.endsWith('was shipped'))).toHaveLength(1);
  });
});

describe('A refunded order', () => {
  it('is told of by a mail for each refund, which says what had gone back by then, however late it comes', async () => {
    await confirmAddress();
    const { id, total_price } = await order();
    const money = new MoneyCalls(app, admin);
    await money.record(id, { amount: total_price });
    await sent();
    server.always = { at: 'recipient', does: 451 };
    await Promise.all([1, 2, 3].map(() => money.refund(id, { amount: 5 })));
    server.always = undefined;
    await app.database.rows('UPDATE graphile_worker._private_jobs SET run_at = now()');
    const texts = (await sent()).filter(({ subject }) => subject.includes('refund')).map(({ text }) => text);
    expect(texts.map((text) => /Refund: +(\S+)\nRefunded in all: (\S+)\n/.exec(text)?.slice(1))).toEqual(
      expect.arrayContaining([
        ['$5.00', '$5.00'],
        ['$5.00', '$10.00'],
        ['$5.00', '$15.00'],
      ]),
    );
    expect(texts).toHaveLength(3);
  });
});

describe('While no node runs jobs', () => {
  it.each(['without', 'with'])('an order %s a coupon has its mail in the queue once it is answered', async (coupon) => {
    const idle = await startTestApp({ env: server.env });
    const buyer = await insertUser(idle);
    await fillCart(idle, buyer, [await insertProduct(idle)]);
    await insertCoupon(idle, 'QUEUED10');
    const { id } = (await checkout(idle.api, buyer, coupon === 'with' ? { coupon: 'QUEUED10' } : {})).body;
    const mails = await idle.database.rows(
      `SELECT payload->>'kind' AS kind, payload->>'about' AS about, run_at <= now() AS due
         FROM graphile_worker._private_jobs JOIN graphile_worker._private_tasks t ON t.id = task_id
        WHERE t.identifier = 'mail'`,
    );
    await idle.close();
    expect(mails).toEqual([{ kind: 'order-placed', about: String(id), due: true }]);
  });
});

describe('The mail of an order', () => {
  it('is queued without a notice, for which simultaneous orders would wait', async () => {
    const idle = await startTestApp({ env: server.env });
    const listener = new pg.Client({ connectionString: idle.database.url });
    await listener.connect();
    const heard: string[] = [];
    listener.on('notification', ({ payload = '' }) => heard.push(payload));
    await listener.query('LISTEN "jobs:insert"');
    const buyer = await insertUser(idle);
    await fillCart(idle, buyer, [await insertProduct(idle)]);
    expect((await placeOrder(idle.api, buyer)).status).toBe(201);
    await listener.query(`NOTIFY "jobs:insert", 'after the order'`);
    await until(() => heard.includes('after the order'), 'the own notice');
    await listener.end();
    await idle.close();
    expect(heard).toEqual(['after the order']);
  });
});

describe('Without a mail server in production', () => {
  it('queues nothing', async () => {
    const secret = '0'.repeat(64);
    const env = { NODE_ENV: 'production', ACCESS_POLICY: 'contract', JWT_SECRET: secret, ENCRYPTION_KEY: secret };
    const silent = await startTestApp({ env });
    const buyer = await insertUser(silent);
    await fillCart(silent, buyer, [await insertProduct(silent)]);
    const { id, total_price } = (await placeOrder(silent.api, buyer)).body;
    const shop = await insertAdmin(silent);
    const money = new MoneyCalls(silent, shop);
    const entries = await auditedBy(silent, async () => {
      await money.record(id, { amount: total_price });
      await money.setStatus(id, 'shipped');
      await money.refund(id, { amount: 1 });
    });
    expect(entries.map(({ action }) => action)).toEqual([
      'order.payment_recorded',
      'order.status_changed',
      'order.status_changed',
      'order.refund_requested',
      'order.refunded',
    ]);
    const jobs = await silent.database.rows(`SELECT FROM graphile_worker.jobs WHERE task_identifier = 'mail'`);
    await silent.close();
    expect(jobs).toEqual([]);
  });
});
