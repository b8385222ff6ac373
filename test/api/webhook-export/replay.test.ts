import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { insertOrganization } from '../../support/organizations.js';
import { workflowScene } from '../../support/workflow-scene.js';

const secret = `whsec_${randomBytes(32).toString('base64')}`;

const scene = workflowScene({ env: { WEBHOOK_RETRY_SECONDS: '0.1,0.1' }, jobs: true });

describe('POST /api/v1/deliveries/{id}/replay', () => {
  it('sends the same bytes under the same id in a new series of attempts', async () => {
    scene.receiver.answerWith(500, 500, 500, 500, 200);
    const id = await scene.runOnce({ secret });
    const { id: deliveryId } = await scene.calls.deliveryThatIs(id, 'EXHAUSTED');
    expect((await scene.calls.replay(deliveryId)).status).toBe(202);
    const { attempts } = await scene.calls.deliveryThatIs(id, 'DELIVERED');
    expect(attempts.map(({ number, statusCode }) => [number, statusCode])).toEqual([
      [1, 500],
      [2, 500],
      [3, 500],
      [4, 500],
      [5, 200],
    ]);
    const [first, ...rest] = scene.receiver.received;
    expect(rest.every(({ bytes }) => bytes.equals(first?.bytes ?? Buffer.alloc(0)))).toBe(true);
    expect(new Set(scene.receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([deliveryId]));
  });

  it('is 409 while the action is disabled', async () => {
    scene.receiver.answerWith(410);
    const { id: deliveryId } = await scene.calls.deliveryThatIs(await scene.runOnce(), 'EXHAUSTED');
    expect((await scene.calls.replay(deliveryId)).status).toBe(409);
  });

  it('is 404 for another organization and 403 for a member', async () => {
    const { id: deliveryId } = await scene.calls.deliveryThatIs(await scene.runOnce(), 'DELIVERED');
    const other = await insertOrganization(scene.service);
    expect((await scene.calls.replay(deliveryId, other.admin.token)).status).toBe(404);
    expect((await scene.calls.replay(deliveryId, scene.organization.member.token)).status).toBe(403);
  });
});

describe('POST /api/v1/workflows/{id}/deliveries/replay', () => {
  it('replays everything exhausted since then, and nothing else', async () => {
    scene.receiver.answerWith(200, 500, 500, 500);
    const id = await scene.runOnce();
    await scene.calls.deliveryThatIs(id, 'DELIVERED');
    await scene.calls.run(id);
    await scene.calls.deliveryThatIs(id, 'EXHAUSTED');
    expect(await scene.calls.replayAll(id, { since: new Date(Date.now() + 60_000) })).toMatchObject({
      status: 202,
      body: { replayed: 0 },
    });
    expect(await scene.calls.replayAll(id, { since: new Date(Date.now() - 60_000) })).toMatchObject({
      status: 202,
      body: { replayed: 1 },
    });
    await scene.calls.deliveryThatIs(id, 'DELIVERED');
    expect(scene.receiver.received).toHaveLength(5);
  });

  it('is 422 for more than 14 days', async () => {
    const { id } = await scene.calls.make(scene.receiver.url);
    const { status, body } = await scene.calls.replayAll(id, { since: new Date(Date.now() - 15 * 86_400_000) });
    expect(status).toBe(422);
    expect(body).toMatchObject({ detail: [{ loc: ['body', 'since'] }] });
  });
});

describe('GET /api/v1/deliveries/{id}/payload', () => {
  it('gives an admin the bytes that were sent', async () => {
    const { id: deliveryId } = await scene.calls.deliveryThatIs(await scene.runOnce(), 'DELIVERED');
    const { status, body, headers } = await scene.service.api.get(`/api/v1/deliveries/${deliveryId}/payload`, {
      token: scene.organization.admin.token,
    });
    expect(status).toBe(200);
    expect(headers.get('content-length')).toBe(String(scene.receiver.received[0]?.bytes.length));
    expect(body).toEqual(JSON.parse(String(scene.receiver.received[0]?.bytes)));
  });

  it.each(['member', 'viewer'] as const)('is 403 for a %s', async (role) => {
    const { id: deliveryId } = await scene.calls.deliveryThatIs(await scene.runOnce(), 'DELIVERED');
    const { token } = scene.organization[role];
    expect((await scene.service.api.get(`/api/v1/deliveries/${deliveryId}/payload`, { token })).status).toBe(403);
    expect((await scene.service.api.get(`/api/v1/deliveries/${deliveryId}`, { token })).status).toBe(200);
  });
});
