import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { OrderNote } from '../../../src/store/orders/order-desk.dto.js';
import type { OrderTimeline } from '../../../src/store/orders/order-timeline.dto.js';
import type { AdminOrder, Order, OrderMoves } from '../../../src/store/orders/orders.dto.js';
import { insertAdmin, type InsertedUser, insertUser } from '../../support/accounts.js';
import type { ApiClient } from '../../support/api-client.js';
import { auditedBy } from '../../support/audit.js';
import { checkout, placeOrder } from '../../support/checkout.js';
import { fillCart, insertProduct } from '../../support/goods.js';
import { allMailsSent, type MailServer, startMailServer } from '../../support/mail-server.js';
import { statementsOf } from '../../support/statement-count.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let server: MailServer;
let app: TestApp;
let nodes: ApiClient[];
let admin: InsertedUser;
let user: InsertedUser;
beforeAll(async () => {
  server = await startMailServer();
  app = await startTestApp({ env: { ...server.env, QUOTAS: 'order-notes=3,order-mails=3' }, jobs: true });
  nodes = [app.api, (await app.anotherNode()).api];
  admin = await insertAdmin(app);
});
afterAll(async () => {
  await app.close();
  await server.close();
});
beforeEach(async () => {
  user = await insertUser(app);
});

async function order(): Promise<Order> {
  await fillCart(app, user, [await insertProduct(app)]);
  return (await checkout(app.api, user)).body;
}

const track = (id: number, json: unknown, token = admin.token) =>
  app.api.patch<Order>(`/api/v1/admin/orders/${id}`, { token, json });
const addNote = (id: number, text: unknown, { api = app.api, token = admin.token } = {}) =>
  api.post<OrderNote>(`/api/v1/admin/orders/${id}/notes`, { token, json: { text } });
const notesOf = (id: number, query = '') =>
  app.api.get<OrderNote[]>(`/api/v1/admin/orders/${id}/notes${query}`, { token: admin.token });
const mail = (id: number, kind: string, token = admin.token) =>
  app.api.post<{ mail: string; to: string }>(`/api/v1/admin/orders/${id}/mails/${kind}`, { token });
const move = (id: number, status: string, confirm?: boolean) =>
  app.api.put<Order & { code: string; detail: string }>(
    `/api/v1/admin/orders/${id}/status?new_status=${status}${confirm === undefined ? '' : `&confirm=${confirm}`}`,
    { token: admin.token },
  );
const timeline = async (id: number) =>
  (await app.api.get<OrderTimeline>(`/api/v1/admin/orders/${id}/timeline`, { token: admin.token })).body.events;

const tracking = {
  carrier: 'DHL',
  tracking_number: '0034',
  tracking_url: 'https://www.dhl.example/track?id=0034&lang=en',
};

describe('PATCH /api/v1/admin/orders/{order_id}', () => {
  it('writes the tracking, which the owner and the mail of the shipping show, and strangers do not see', async () => {
    const { id } = await order();
    expect((await track(id, tracking)).body).toMatchObject({ id, status: 'pending', ...tracking });
    expect((await app.api.get<Order>(`/api/v1/orders/${id}`, { token: user.token })).body).toMatchObject(tracking);
    const { body: own } = await app.api.get<Order[]>('/api/v1/orders/', { token: user.token });
    expect(own[0]).toMatchObject(tracking);
    expect((await app.api.get<Order>(`/api/v1/orders/${id}`)).body).toMatchObject({
      carrier: null,
      tracking_url: null,
    });
    await move(id, 'shipped');
    await allMailsSent(app);
    const shipped = server.mailsTo(user.email).find(({ subject }) => subject.includes('shipped'));
    for (const text of ['DHL', '0034', tracking.tracking_url]) expect(shipped?.text).toContain(text);
  });

  it('leaves what is omitted, empties by null, and audits what changed', async () => {
    const { id } = await order();
    await track(id, tracking);
    const entries = await auditedBy(app, () => track(id, { carrier: 'UPS', tracking_url: null }));
    expect(entries).toMatchObject([
      {
        action: 'order.tracking_changed',
        subject_id: String(id),
        actor_id: admin.id,
        changes: { carrier: { from: 'DHL', to: 'UPS' }, tracking_url: { from: tracking.tracking_url, to: null } },
      },
    ]);
    expect(await auditedBy(app, () => track(id, { carrier: 'UPS' }))).toEqual([]);
    expect((await track(id, {})).body).toMatchObject({ carrier: 'UPS', tracking_number: '0034', tracking_url: null });
  });

  it.each([
    { carrier: 'x'.repeat(101) },
    { carrier: 7 },
    { tracking_number: 'x'.repeat(201) },
    { tracking_number: 'a\0b' },
    { tracking_url: 'javascript:alert(1)' },
    { tracking_url: 'https://user:password@host.example/' },
    { tracking_url: `https://host.example/${'x'.repeat(2_048)}` },
  ])('responds with 422 to %j', async (json) => {
    expect((await track((await order()).id, json)).status).toBe(422);
  });

  it('responds with 404 for an unknown order and 403 to a user', async () => {
    expect((await track(2_147_483_647, tracking)).status).toBe(404);
    expect((await track(1, tracking, user.token)).status).toBe(403);
  });
});

describe('The notes of an order', () => {
  it('are listed newest first with their authors, and only admins read and write them', async () => {
    const { id } = await order();
    const other = await insertAdmin(app);
    const first = await addNote(id, 'Rings twice');
    const entries = await auditedBy(app, () => addNote(id, 'Called back ☎', { token: other.token }));
    expect(entries.map(({ action, subject_id }) => [action, subject_id])).toEqual([['order.note_added', String(id)]]);
    const author = ({ id: actor, username: name }: InsertedUser) => ({ kind: 'user', id: actor, name });
    expect([first.status, first.body]).toMatchObject([201, { text: 'Rings twice', author: author(admin) }]);
    const { body, headers } = await notesOf(id);
    expect(body.map(({ text, author: who }) => [text, who])).toEqual([
      ['Called back ☎', author(other)],
      ['Rings twice', author(admin)],
    ]);
    expect(headers.get('x-total-count')).toBe('2');
    expect((await notesOf(id, '?skip=1&limit=1')).body.map(({ text }) => text)).toEqual(['Rings twice']);
    expect((await addNote(id, 'Mine', { token: user.token })).status).toBe(403);
    expect((await app.api.get(`/api/v1/admin/orders/${id}/notes`, { token: user.token })).status).toBe(403);
  });

  it.each([[''], [' \n '], ['x'.repeat(2_001)], ['a\0b'], [null], [7]])('responds with 422 to %j', async (text) => {
    expect((await addNote((await order()).id, text)).status).toBe(422);
  });

  it('responds with 404 for an unknown order', async () => {
    expect((await addNote(2_147_483_647, 'Lost')).status).toBe(404);
    expect((await notesOf(2_147_483_647)).status).toBe(404);
  });

  it('are never more than their quota, in any race over two nodes, and wait for no change of status', async () => {
    const { id } = await order();
    const answers = await Promise.all([
      ...Array.from({ length: 6 }, (_, n) => addNote(id, `Note ${n}`, { api: nodes[n % 2] ?? app.api })),
      move(id, 'paid'),
    ]);
    const statuses = answers.map(({ status }) => status);
    expect(statuses.slice(0, -1).toSorted((one, other) => one - other)).toEqual([201, 201, 201, 403, 403, 403]);
    expect(statuses.at(-1)).toBe(200);
    expect((await notesOf(id)).body).toHaveLength(3);
  });
});

describe('POST /api/v1/admin/orders/{order_id}/mails/{mail}', () => {
  it('sends a mail again where it makes sense, and says why not where it does not', async () => {
    const { id } = await order();
    await allMailsSent(app);
    const subjects = async () => {
      await allMailsSent(app);
      return server.mailsTo(user.email).map(({ subject }) => subject);
    };
    expect(await mail(id, 'placed')).toMatchObject({ status: 202, body: { mail: 'placed', to: user.email } });
    expect(await subjects()).toEqual([`Your order ${id}`, `Your order ${id}`]);
    expect(await mail(id, 'shipped')).toMatchObject({ status: 409, body: { code: 'mail_not_due' } });
    await move(id, 'shipped');
    const entries = await auditedBy(app, () => mail(id, 'shipped'));
    expect(entries).toMatchObject([{ action: 'order.mail_sent', changes: { mail: { from: null, to: 'shipped' } } }]);
    expect((await subjects()).slice(2)).toEqual([`Your order ${id} was shipped`, `Your order ${id} was shipped`]);
    await mail(id, 'placed');
    const refused = await mail(id, 'placed');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, expect.any(String)]);
  });

  it('sends nothing about a cancelled order, nor to a deleted account', async () => {
    const [cancelled, left] = [await order(), await order()];
    await move(cancelled.id, 'cancelled');
    expect(await mail(cancelled.id, 'placed')).toMatchObject({ status: 409, body: { code: 'mail_not_due' } });
    await app.api.delete('/api/v1/users/me/profile', { token: user.token });
    expect(await mail(left.id, 'placed')).toMatchObject({ status: 409, body: { code: 'mail_not_due' } });
  });

  it('responds with 404 for an unknown order, 422 for an unknown mail, 403 to a user', async () => {
    expect((await mail(2_147_483_647, 'placed')).status).toBe(404);
    expect((await mail(1, 'praised')).status).toBe(422);
    expect((await mail(1, 'placed', user.token)).status).toBe(403);
  });
});

describe('GET /api/v1/admin/orders/{order_id}/timeline', () => {
  it('is one list of statuses, money, tracking, notes and mails, with who, by two statements', async () => {
    const { id } = await order();
    const [payment] = await app.database.rows<{ id: string }>(
      `INSERT INTO payments (id, order_id, provider, reference, method, amount, currency)
       VALUES (gen_random_uuid(), $1, 'manual', 'R-17', 'transfer', 12.5, 'USD') RETURNING id`,
      [id],
    );
    await track(id, tracking);
    await addNote(id, 'Fragile');
    await move(id, 'shipped');
    await app.database.rows(
      `INSERT INTO refunds (id, order_id, payment_id, amount, reason, restock, status)
       VALUES (gen_random_uuid(), $1, $2, 2.5, 'Scratched', false, 'done')`,
      [id, payment?.id],
    );
    const events = (await timeline(id)).map(({ what, to, amount, text, actor: { name } }) => [
      what,
      to ?? amount ?? text,
      name,
    ]);
    expect(events).toEqual([
      ['placed', 'pending', user.username],
      ['payment_received', 12.5, 'manual'],
      ['tracking_changed', `DHL, 0034, ${tracking.tracking_url}`, admin.username],
      ['note_added', 'Fragile', admin.username],
      ['status_changed', 'shipped', admin.username],
      ['mail_sent', 'shipped', admin.username],
      ['refunded', 2.5, 'manual'],
    ]);
    await allMailsSent(app);
    expect(await statementsOf(() => timeline(id))).toEqual(['orders.records', expect.stringMatching(/^audit\.page/)]);
  });
});

describe('A status that leaves something out', () => {
  const stopped = (sentence: RegExp) => ({
    status: 409,
    body: { code: 'needs_confirmation', detail: expect.stringMatching(sentence) },
  });
  async function withoutAddress(): Promise<number> {
    await fillCart(app, user, [await insertProduct(app)]);
    return (await placeOrder(app.api, user)).body.id;
  }

  it('is refused where an order would be shipped without an address, until it is confirmed', async () => {
    const id = await withoutAddress();
    expect(await move(id, 'shipped', false)).toMatchObject(
      stopped(/it has no address to go to: repeat it with confirm=true/),
    );
    expect((await app.api.get<Order>(`/api/v1/orders/${id}`)).body.status).toBe('pending');
    expect(await move(id, 'shipped', true)).toMatchObject({ status: 200, body: { status: 'shipped' } });
  });

  it('is refused where an unpaid order would be delivered, but not where the shop called it paid or money came', async () => {
    const { id } = await order();
    expect(await move(id, 'delivered', false)).toMatchObject(stopped(/it is not paid/));
    expect(await move(id, 'shipped', false)).toMatchObject({ status: 200 });
    expect(await move(id, 'delivered', false)).toMatchObject(stopped(/it is not paid/));
    await app.database.rows('UPDATE orders SET paid_total = total_price WHERE id = $1', [id]);
    expect(await move(id, 'delivered', false)).toMatchObject({ status: 200 });
    const said = await order();
    for (const status of ['paid', 'shipped', 'delivered']) {
      expect(await move(said.id, status, false)).toMatchObject({ status: 200 });
    }
  });

  it('is refused where money would stay with the shop', async () => {
    const { id } = await order();
    await app.database.rows(`UPDATE orders SET paid_total = 30, refunded_total = 10, status = 'paid' WHERE id = $1`, [
      id,
    ]);
    expect(await move(id, 'cancelled', false)).toMatchObject(stopped(/20\.00 was paid for it/));
    expect(await move(id, 'refunded', false)).toMatchObject(stopped(/20\.00 was paid for it/));
    await app.database.rows('UPDATE orders SET refunded_total = 30 WHERE id = $1', [id]);
    expect(await move(id, 'refunded', false)).toMatchObject({ status: 200 });
  });

  it('is free on the route of the interface description under contract, and asked for on that of many', async () => {
    const [free, one, other] = [await withoutAddress(), await withoutAddress(), (await order()).id];
    expect(await move(free, 'shipped')).toMatchObject({ status: 200 });
    const many = (confirm?: boolean) =>
      app.api.put<OrderMoves>('/api/v1/admin/orders/status', {
        token: admin.token,
        json: { order_ids: [one, other], new_status: 'shipped', ...(confirm === undefined ? {} : { confirm }) },
      });
    expect((await many()).body.results).toMatchObject([
      { order_id: one, outcome: 'refused', code: 'needs_confirmation' },
      { order_id: other, outcome: 'updated' },
    ]);
    expect((await many(true)).body.results).toMatchObject([{ outcome: 'updated' }, { outcome: 'unchanged' }]);
  });

  it('is decided under the lock: of two nodes that ship an order, one does, and the mail goes out once', async () => {
    const { id } = await order();
    const answers = await Promise.all(
      nodes.map((api) =>
        api.put<OrderMoves>('/api/v1/admin/orders/status', {
          token: admin.token,
          json: { order_ids: [id], new_status: 'shipped' },
        }),
      ),
    );
    const outcomes = answers.map(({ body }) => String(body.results[0]?.outcome));
    expect(outcomes.toSorted()).toEqual(['unchanged', 'updated']);
    await allMailsSent(app);
    expect(server.mailsTo(user.email).filter(({ subject }) => subject.includes('shipped'))).toHaveLength(1);
    const { body } = await app.api.get<AdminOrder[]>(`/api/v1/admin/orders?number=${id}`, { token: admin.token });
    expect(body[0]?.status).toBe('shipped');
  });
});

it('asks under the hardened policy on every route', async () => {
  const hardened = await startTestApp({ env: { ACCESS_POLICY: 'hardened' } });
  try {
    const boss = await insertAdmin(hardened);
    const buyer = await insertUser(hardened);
    await fillCart(hardened, buyer, [await insertProduct(hardened)]);
    const { id } = (await placeOrder(hardened.api, buyer)).body;
    const ship = (query: string) =>
      hardened.api.put(`/api/v1/admin/orders/${id}/status?new_status=shipped${query}`, { token: boss.token });
    expect((await ship('')).status).toBe(409);
    expect((await ship('&confirm=true')).status).toBe(200);
  } finally {
    await hardened.close();
  }
});
