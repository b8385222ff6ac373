import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type InsertedOrganization, insertOrganization } from '../../support/organizations.js';
import { type Receiver, startReceiver, until } from '../../support/receiver.js';
import { ScannedThings } from '../../support/scanned-things.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { WorkflowCalls, webhook } from '../../support/workflows.js';

let shop: TestApp;
let receiver: Receiver;
let acme: InsertedOrganization;
let calls: WorkflowCalls;
beforeAll(async () => {
  shop = await startTestApp({ env: { EGRESS_ALLOW: '127.0.0.1', WEBHOOK_RETRY_SECONDS: '1,1,1,1,1,1,1' }, jobs: true });
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

const failing = (status: number, retryAfter = '600'): void => {
  receiver.answer = (response) => response.writeHead(status, { 'retry-after': retryAfter }).end();
};

/** A workflow whose deliveries, one for each of so many actions, failed once and wait for their retry. */
async function waiting(actions = 1): Promise<string> {
  failing(503);
  const urls = Array.from({ length: actions }, () => webhook(receiver.url));
  const { id } = await calls.make(receiver.url, { actions: urls });
  await calls.run(id);
  await until(async () => (await statuses(id)).filter((status) => status === 'RETRYING').length === actions);
  receiver.answer = (response) => response.end();
  return id;
}

const statuses = async (id: string): Promise<string[]> =>
  (await calls.deliveries(id)).map(({ status }) => status).sort();

const jobs = () =>
  shop.database.rows(
    `SELECT j.key FROM graphile_worker.jobs j JOIN webhook_deliveries d ON j.key = 'webhook-delivery:' || d.id
      WHERE d.organization_id = $1`,
    [acme.id],
  );

const disableFirst = async (id: string): Promise<void> => {
  const [first, ...rest] = (await calls.get(id)).actions;
  await calls.patch(id, { actions: [{ ...first, enabled: false }, ...rest] });
};

describe('A delivery that waits for its retry', () => {
  it.each<[string, (id: string) => Promise<unknown>]>([
    ['its workflow is disabled', (id) => calls.patch(id, { enabled: false })],
    ['its action is disabled', (id) => disableFirst(id)],
  ])('is CANCELED at once when %s, and its job with it', async (_name, stop) => {
    const id = await waiting();
    await stop(id);
    expect(await calls.deliveries(id)).toMatchObject([{ status: 'CANCELED', nextAttemptAt: null, attemptCount: 1 }]);
    expect(await jobs()).toEqual([]);
    expect(receiver.received).toHaveLength(1);
  });

  it('is CANCELED when its workflow is deleted, in the database too', async () => {
    const id = await waiting();
    await calls.remove(id);
    const sql = 'SELECT status, workflow_id, action_id FROM webhook_deliveries WHERE organization_id = $1';
    expect(await shop.database.rows(sql, [acme.id])).toEqual([
      { status: 'CANCELED', workflow_id: null, action_id: null },
    ]);
    expect(await jobs()).toEqual([]);
  });

  it('is CANCELED when another delivery is answered that the receiver is gone', async () => {
    const id = await waiting();
    failing(410);
    await calls.run(id);
    await until(async () => (await statuses(id)).join() === 'CANCELED,EXHAUSTED');
    expect((await calls.get(id)).actions[0]?.disabledReason).toContain('410');
  });

  it('goes on where another action is disabled', async () => {
    const id = await waiting(2);
    await disableFirst(id);
    expect(await statuses(id)).toEqual(['CANCELED', 'RETRYING']);
  });

  it('stays CANCELED when its workflow is enabled again, until it is replayed', async () => {
    const id = await waiting();
    await calls.patch(id, { enabled: false });
    const [delivery] = await calls.deliveries(id);
    const { token } = acme.admin;
    const replay = () => shop.api.post(`/api/v1/deliveries/${delivery?.id}/replay`, { token });
    expect(await replay()).toMatchObject({ status: 409, body: { code: 'workflow_disabled' } });
    const all = (ended?: string[]) =>
      shop.api.post(`/api/v1/workflows/${id}/deliveries/replay`, {
        token,
        json: { since: new Date(Date.now() - 60_000).toISOString(), statuses: ended },
      });
    expect(await all(['CANCELED'])).toMatchObject({ status: 202, body: { replayed: 0 } });
    await calls.patch(id, { enabled: true });
    expect(await all()).toMatchObject({ status: 202, body: { replayed: 0 } });
    expect(await all(['EXHAUSTED', 'CANCELED'])).toMatchObject({ status: 202, body: { replayed: 1 } });
    await calls.deliveryThatIs(id, 'DELIVERED');
    expect(receiver.received).toHaveLength(2);
  });
});

describe('A run that waits for the end of its window', () => {
  it.each(['disabled', 'deleted'])('sends nothing when its workflow is %s', async (how) => {
    const things = new ScannedThings(shop, acme.id);
    const issueId = await things.issue(await things.asset());
    const { id } = await calls.make(receiver.url, { trigger: { type: 'NEW_ISSUE' }, throttleMs: 1_000 });
    await things.trigger('NEW_ISSUE', issueId);
    await until(async () => (await calls.runs(id)).length === 1);
    const [run] = await calls.runs(id);
    if (how === 'deleted') await calls.remove(id);
    else await calls.patch(id, { enabled: false });
    const kept = await shop.database.rows('SELECT status FROM workflow_runs WHERE id = $1', [run?.id]);
    expect(kept).toEqual([{ status: 'CANCELED' }]);
    if (how === 'disabled') {
      await calls.patch(id, { enabled: true });
      expect(await calls.runs(id)).toMatchObject([{ status: 'CANCELED', reason: expect.stringContaining('disabled') }]);
    }
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(receiver.received).toEqual([]);
  });
});

describe('An attempt under way', () => {
  it.each([
    [200, 'DELIVERED'],
    [500, 'CANCELED'],
  ])('is the last one when its workflow is disabled: answered %i, its delivery is %s', async (status, expected) => {
    let end = (): void => undefined;
    receiver.answer = (response) => {
      end = () => response.writeHead(status).end();
    };
    const { id } = await calls.make(receiver.url);
    await calls.run(id);
    await receiver.has(1);
    await calls.patch(id, { enabled: false });
    expect(await statuses(id)).toEqual(['PENDING']);
    end();
    const delivery = await calls.deliveryThatIs(id, expected);
    expect(delivery).toMatchObject({ nextAttemptAt: null, attempts: [{ number: 1, statusCode: status }] });
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(receiver.received).toHaveLength(1);
  });

  it('is followed by none, whatever else is sent, retried and disabled at the same time', async () => {
    receiver.answer = (response) => response.writeHead(500).end();
    const { id } = await calls.make(receiver.url);
    const running = Array.from({ length: 30 }, () => calls.run(id).catch(() => undefined));
    await receiver.has(5);
    const { status } = await calls.patch(id, { enabled: false });
    expect(status).toBe(200);
    await Promise.all(running);
    const settled = async () => (await statuses(id)).every((one) => one !== 'PENDING' && one !== 'RETRYING');
    await until(async () => (await calls.runs(id)).every((run) => run.status !== 'PENDING') && (await settled()));
    const sent = receiver.received.length;
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    expect(receiver.received).toHaveLength(sent);
    expect(new Set(await statuses(id))).toEqual(new Set(['CANCELED']));
    expect(await jobs()).toEqual([]);
  });
});
