import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type InsertedOrganization, insertOrganization } from '../../support/organizations.js';
import { type Receiver, startReceiver } from '../../support/receiver.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { WorkflowCalls } from '../../support/workflows.js';

const secret = `whsec_${randomBytes(32).toString('base64')}`;

let shop: TestApp;
let receiver: Receiver;
let acme: InsertedOrganization;
let calls: WorkflowCalls;

beforeAll(async () => {
  shop = await startTestApp({ env: { EGRESS_ALLOW: '127.0.0.1', WEBHOOK_RETRY_SECONDS: '0.1,0.1' }, jobs: true });
});
beforeEach(async () => {
  await receiver?.close();
  receiver = await startReceiver();
  acme = await insertOrganization(shop);
  calls = new WorkflowCalls(shop, acme);
});
afterAll(async () => {
  await shop.close();
  await receiver.close();
});

async function runOnce(parameters: Record<string, unknown> = {}): Promise<string> {
  const { id } = await calls.make(receiver.url, { parameters });
  await calls.run(id);
  return id;
}

function answering(...statuses: number[]): void {
  receiver.answer = (response) => {
    response.statusCode = statuses.shift() ?? 200;
    response.end();
  };
}

function replay(id: string, token = acme.admin.token) {
  return shop.api.post(`/api/v1/deliveries/${id}/replay`, { token });
}

describe('POST /api/v1/deliveries/{id}/replay', () => {
  it('sends the same bytes under the same id in a new series of attempts', async () => {
    answering(500, 500, 500, 500, 200);
    const id = await runOnce({ secret });
    const { id: deliveryId } = await calls.deliveryThatIs(id, 'EXHAUSTED');
    expect((await replay(deliveryId)).status).toBe(202);
    const { attempts } = await calls.deliveryThatIs(id, 'DELIVERED');
    expect(attempts.map(({ number, statusCode }) => [number, statusCode])).toEqual([
      [1, 500],
      [2, 500],
      [3, 500],
      [4, 500],
      [5, 200],
    ]);
    const [first, ...rest] = receiver.received;
    expect(rest.every(({ bytes }) => bytes.equals(first?.bytes ?? Buffer.alloc(0)))).toBe(true);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([deliveryId]));
  });

  it('is 409 while the action is disabled', async () => {
    answering(410);
    const { id: deliveryId } = await calls.deliveryThatIs(await runOnce(), 'EXHAUSTED');
    expect((await replay(deliveryId)).status).toBe(409);
  });

  it('is 404 for another organization and 403 for a member', async () => {
    const { id: deliveryId } = await calls.deliveryThatIs(await runOnce(), 'DELIVERED');
    const other = await insertOrganization(shop);
    expect((await replay(deliveryId, other.admin.token)).status).toBe(404);
    expect((await replay(deliveryId, acme.member.token)).status).toBe(403);
  });
});

describe('POST /api/v1/workflows/{id}/deliveries/replay', () => {
  const replaySince = (id: string, since: Date) =>
    shop.api.post(`/api/v1/workflows/${id}/deliveries/replay`, {
      token: acme.admin.token,
      json: { since: since.toISOString() },
    });

  it('replays all that was exhausted since then, and nothing else', async () => {
    answering(200, 500, 500, 500);
    const id = await runOnce();
    await calls.deliveryThatIs(id, 'DELIVERED');
    await calls.run(id);
    await calls.deliveryThatIs(id, 'EXHAUSTED');
    expect(await replaySince(id, new Date(Date.now() + 60_000))).toMatchObject({ status: 202, body: { replayed: 0 } });
    expect(await replaySince(id, new Date(Date.now() - 60_000))).toMatchObject({ status: 202, body: { replayed: 1 } });
    await calls.deliveryThatIs(id, 'DELIVERED');
    expect(receiver.received).toHaveLength(5);
  });

  it('is 422 for more than 14 days', async () => {
    const { id } = await calls.make(receiver.url);
    const { status, body } = await replaySince(id, new Date(Date.now() - 15 * 86_400_000));
    expect(status).toBe(422);
    expect(body).toMatchObject({ detail: [{ loc: ['body', 'since'] }] });
  });
});

describe('GET /api/v1/deliveries/{id}/payload', () => {
  it('gives an admin the bytes that were sent', async () => {
    const { id: deliveryId } = await calls.deliveryThatIs(await runOnce(), 'DELIVERED');
    const { status, body, headers } = await shop.api.get(`/api/v1/deliveries/${deliveryId}/payload`, {
      token: acme.admin.token,
    });
    expect(status).toBe(200);
    expect(headers.get('content-length')).toBe(String(receiver.received[0]?.bytes.length));
    expect(body).toEqual(JSON.parse(String(receiver.received[0]?.bytes)));
  });

  it.each(['member', 'viewer'] as const)('is 403 for a %s', async (role) => {
    const { id: deliveryId } = await calls.deliveryThatIs(await runOnce(), 'DELIVERED');
    const { token } = acme[role];
    expect((await shop.api.get(`/api/v1/deliveries/${deliveryId}/payload`, { token })).status).toBe(403);
    expect((await shop.api.get(`/api/v1/deliveries/${deliveryId}`, { token })).status).toBe(200);
  });
});
