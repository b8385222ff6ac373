import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { checkWebhook } from '../../../packages/sdk/src/webhooks.js';
import type { RotatedWebhookSecret, WebhookPreview, WebhookTest } from '../../../src/store/webhooks/webhooks.dto.js';
import { insertUser, type InsertedUser } from '../../support/accounts.js';
import { auditedBy } from '../../support/audit.js';
import { checkout } from '../../support/checkout.js';
import { addToCart, insertProduct } from '../../support/goods.js';
import { schemaCheck } from '../../support/payload-schemas.js';
import { type Received, type Receiver, startReceiver, until } from '../../support/receiver.js';
import { StoreWebhookCalls, webhooksPath } from '../../support/store-webhooks.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

interface Sent {
  id: string;
  type: string;
  created_at: string;
  data: Record<string, unknown>;
}

let app: TestApp;
let calls: StoreWebhookCalls;
let receiver: Receiver;
let user: InsertedUser;
beforeAll(async () => {
  app = await startTestApp({ env: { EGRESS_ALLOW: '127.0.0.1', WEBHOOK_RETRY_SECONDS: '600' }, jobs: true });
  calls = await StoreWebhookCalls.of(app);
});
beforeEach(async () => {
  receiver = await startReceiver();
  user = await insertUser(app);
});
afterEach(async () => {
  await app.database.rows('DELETE FROM store_webhooks');
  await receiver.close();
});
afterAll(() => app.close());

async function order(): Promise<number> {
  await addToCart(app, user, await insertProduct(app));
  return (await checkout(app.api, user)).body.id;
}

const jsonOf = ({ bytes }: Received): Sent => JSON.parse(String(bytes)) as Sent;

const failing = (status: number): void => {
  receiver.answer = (response) => response.writeHead(status).end();
};

describe('A webhook', () => {
  it('gets each event that it asks for once, signed as the SDK verifies', async () => {
    const { id, secret } = await calls.made(receiver.url);
    const orderId = await order();
    const [received] = await receiver.has(1);
    if (!received) throw new Error('Nothing came');
    const { bytes, headers } = received;
    await checkWebhook(bytes, headers, secret);
    const event = jsonOf(received);
    (await schemaCheck(app.baseUrl, 'store-events/order.placed.json'))(event);
    expect(event).toMatchObject({ type: 'order.placed', data: { order: { id: orderId }, customer: { id: user.id } } });
    expect(headers['webhook-id']).toBe(event.id);
    const [delivery] = await calls.deliveriesThatAre(id, 'DELIVERED');
    expect(delivery).toMatchObject({
      event_id: event.id,
      type: 'order.placed',
      url: receiver.url,
      payload_bytes: bytes.length,
      attempt_count: 1,
      attempts: [{ number: 1, status_code: 200, error: null }],
    });
    const path = `${webhooksPath}/${id}/deliveries/${delivery?.id}/payload`;
    expect((await app.api.get<Sent>(path, { token: calls.token })).body).toEqual(event);
  });

  it('gets what is personal of customers only where it says so', async () => {
    await calls.made(new URL('/without', receiver.url).href);
    await calls.made(new URL('/with', receiver.url).href, { customer_data: true });
    await order();
    const bodies = new Map((await receiver.has(2)).map((one) => [one.path, jsonOf(one)]));
    expect(bodies.get('/without')?.data['customer']).toEqual({ id: user.id });
    expect(JSON.stringify(bodies.get('/without'))).not.toContain(user.username);
    expect(bodies.get('/with')?.data['customer']).toMatchObject({
      id: user.id,
      username: user.username,
      shipping: { address: '12 St James Square' },
    });
  });

  it('gets no event of a change from before it, and none while it is disabled', async () => {
    await order();
    const { id } = await calls.made(receiver.url);
    await calls.patch(id, { enabled: false });
    await order();
    await calls.patch(id, { enabled: true });
    const last = await order();
    await calls.deliveriesThatAre(id, 'DELIVERED');
    expect(receiver.received.map((one) => (jsonOf(one).data['order'] as { id: number }).id)).toEqual([last]);
  });

  it('is disabled when its receiver responds with 410, which cancels the rest and is in the audit log', async () => {
    const { id } = await calls.made(receiver.url);
    failing(503);
    await order();
    await calls.deliveriesThatAre(id, 'RETRYING');
    failing(410);
    const audited = await auditedBy(app, async () => {
      await order();
      await until(async () => !(await calls.get(id)).enabled);
    });
    expect(await calls.get(id)).toMatchObject({ enabled: false, disabled_reason: expect.stringContaining('410') });
    expect((await calls.deliveries(id)).map(({ status }) => status).sort()).toEqual(['CANCELED', 'EXHAUSTED']);
    expect(audited.map(({ action }) => action)).toContain('webhook.disabled');
    expect((await calls.patch(id, { enabled: true })).body).toMatchObject({ enabled: true, disabled_reason: null });
  });

  it('gets a delivery again, with the same id and bytes', async () => {
    const { id } = await calls.made(receiver.url);
    await order();
    const [delivery] = await calls.deliveriesThatAre(id, 'DELIVERED');
    expect((await calls.post(`${id}/deliveries/${delivery?.id}/replay`)).status).toBe(202);
    const [first, second] = await receiver.has(2);
    expect(second?.bytes.equals(first?.bytes ?? Buffer.alloc(0))).toBe(true);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  });

  it('gets all deliveries again that were canceled since a time', async () => {
    const { id } = await calls.made(receiver.url);
    failing(503);
    await order();
    await calls.deliveriesThatAre(id, 'RETRYING');
    await calls.patch(id, { enabled: false });
    const since = new Date(Date.now() - 60_000).toISOString();
    const all = () => calls.post(`${id}/deliveries/replay`, { since, statuses: ['CANCELED'] });
    expect(await all()).toMatchObject({ status: 409, body: { code: 'webhook_disabled' } });
    await calls.patch(id, { enabled: true });
    receiver.answer = (response) => response.end();
    expect(await all()).toMatchObject({ status: 202, body: { replayed: 1 } });
    await calls.deliveriesThatAre(id, 'DELIVERED');
    const old = { since: new Date(Date.now() - 15 * 86_400_000) };
    expect((await calls.post(`${id}/deliveries/replay`, old)).status).toBe(422);
  });

  it('is signed by the old and the new secret while a rotation overlaps', async () => {
    const { id, secret } = await calls.made(receiver.url);
    const rotated = await calls.post<RotatedWebhookSecret>(`${id}/rotate-secret`);
    expect(rotated.status).toBe(200);
    await order();
    const [received] = await receiver.has(1);
    for (const one of [secret, rotated.body.secret]) {
      await checkWebhook(received?.bytes ?? '', received?.headers ?? {}, one);
    }
    expect((await calls.post(`${id}/rotate-secret`, { secret: rotated.body.secret })).status).toBe(422);
  });

  it('shows a secret only once', async () => {
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const made = await calls.made(receiver.url, { secret });
    expect(made.secret).toBe(secret);
    expect((await calls.get(made.id)).secret).toBe(`••••${secret.slice(-4)}`);
    const stored = await app.database.rows<{ sealed: string }>(
      'SELECT parameters_sealed AS sealed FROM store_webhooks',
    );
    expect(JSON.stringify(stored)).not.toContain(secret.slice(6, 20));
  });

  it('gets a sample on request, which fits the schema and is marked', async () => {
    const { id, secret } = await calls.made(receiver.url);
    const tested = await calls.post<WebhookTest>(`${id}/test`, { type: 'stock.low' });
    expect(tested).toMatchObject({ status: 200, body: { delivered: true, status_code: 200 } });
    const [received] = await receiver.has(1);
    await checkWebhook(received?.bytes ?? '', received?.headers ?? {}, secret);
    const sample = received && jsonOf(received);
    (await schemaCheck(app.baseUrl, 'store-events/stock.low.json'))(sample);
    expect(sample).toMatchObject({ type: 'stock.low', test: true });
    expect(await calls.deliveries(id)).toEqual([]);
  });

  it('is previewed with the newest event of each type, or a sample', async () => {
    const { id } = await calls.made(receiver.url, { events: ['order.placed', 'payment.failed'] });
    const orderId = await order();
    const { body } = await app.api.get<WebhookPreview>(`${webhooksPath}/${id}/preview`, { token: calls.token });
    expect(body.events).toMatchObject([
      { is_sample: false, event: { type: 'order.placed', data: { order: { id: orderId } } } },
      { is_sample: true, event: { type: 'payment.failed' } },
    ]);
  });

  it('changes only as its reader knew it, and goes with its deliveries', async () => {
    const { id } = await calls.made(receiver.url);
    const { headers } = await calls.patch(id, { events: ['order.paid', 'order.paid'] });
    const etag = headers.get('etag') ?? '';
    expect((await calls.patch(id, { customer_data: true }, { 'if-match': etag })).status).toBe(200);
    expect((await calls.patch(id, { customer_data: false }, { 'if-match': etag })).status).toBe(412);
    expect(await calls.get(id)).toMatchObject({ events: ['order.paid'], customer_data: true });
    expect((await app.api.delete(`${webhooksPath}/${id}`, { token: calls.token })).status).toBe(204);
    expect((await app.api.get(`${webhooksPath}/${id}`, { token: calls.token })).status).toBe(404);
  });
});

describe('POST /api/v1/admin/webhooks', () => {
  const url = 'https://192.0.32.10/hook';
  it.each([
    [{ events: ['order.placed'] }, 'url'],
    [{ url: 'ftp://example.com/', events: ['order.placed'] }, 'url'],
    [{ url: 'http://10.0.0.1/', events: ['order.placed'] }, 'url'],
    [{ url: `https://example.com/${'a'.repeat(2_048)}`, events: ['order.placed'] }, 'url'],
    [{ url, events: [] }, 'events'],
    [{ url, events: ['order.eaten'] }, 'events'],
    [{ url, events: 'order.placed' }, 'events'],
    [{ url, events: ['order.placed'], secret: 'whsec_short' }, 'secret'],
    [{ url, events: ['order.placed'], customer_data: 'yes' }, 'customer_data'],
  ])('responds with 422 for %j', async (json, field) => {
    const { status, body } = await calls.create(json);
    expect(status).toBe(422);
    expect((body as unknown as { detail: { loc: string[] }[] }).detail[0]?.loc.slice(0, 2)).toEqual(['body', field]);
  });

  it('responds with 403 to a user', async () => {
    const json = { url, events: ['order.placed'] };
    expect((await app.api.post(webhooksPath, { token: user.token, json })).status).toBe(403);
  });
});
