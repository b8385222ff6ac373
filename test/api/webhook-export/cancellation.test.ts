import { describe, expect, it } from '@jest/globals';
import { AttemptLog } from '../../../src/platform/delivery/attempt-log.js';
import { ActionDeliveries } from '../../../src/scanning/webhook-export/action-deliveries.js';
import { until } from '../../support/receiver.js';
import { webhook } from '../../support/workflows.js';
import { workflowScene } from '../../support/workflow-scene.js';

const scene = workflowScene({ env: { WEBHOOK_RETRY_SECONDS: '1,1,1,1,1,1,1' }, jobs: true });

const failing = (status: number, retryAfter = '600'): void => {
  scene.receiver.answer = (response) => response.writeHead(status, { 'retry-after': retryAfter }).end();
};

/** A workflow with this many actions, whose deliveries have failed once and wait for their retry. */
async function waiting(actions = 1): Promise<string> {
  failing(503);
  const urls = Array.from({ length: actions }, () => webhook(scene.receiver.url));
  const { id } = await scene.calls.make(scene.receiver.url, { actions: urls });
  await scene.calls.run(id);
  await until(async () => (await statuses(id)).filter((status) => status === 'RETRYING').length === actions);
  scene.receiver.answer = (response) => response.end();
  return id;
}

const statuses = async (id: string): Promise<string[]> =>
  (await scene.calls.deliveries(id)).map(({ status }) => status).sort();

const jobs = () =>
  scene.service.database.rows(
    `SELECT j.key FROM graphile_worker.jobs j JOIN webhook_deliveries d ON j.key = 'webhook-delivery:' || d.id
      WHERE d.organization_id = $1`,
    [scene.organization.id],
  );

const disableFirst = async (id: string): Promise<void> => {
  const [first, ...rest] = (await scene.calls.get(id)).actions;
  await scene.calls.patch(id, { actions: [{ ...first, enabled: false }, ...rest] });
};

describe('A delivery that waits for its retry', () => {
  it.each<[string, (id: string) => Promise<unknown>]>([
    ['its workflow is disabled', (id) => scene.calls.patch(id, { enabled: false })],
    ['its action is disabled', (id) => disableFirst(id)],
  ])('is CANCELED at once when %s, along with its job', async (_name, stop) => {
    const id = await waiting();
    await stop(id);
    expect(await scene.calls.deliveries(id)).toMatchObject([
      { status: 'CANCELED', nextAttemptAt: null, attemptCount: 1 },
    ]);
    expect(await jobs()).toEqual([]);
    expect(scene.receiver.received).toHaveLength(1);
  });

  it('is CANCELED when its workflow is deleted, in the database too', async () => {
    const id = await waiting();
    await scene.calls.remove(id);
    const sql = 'SELECT status, workflow_id, action_id FROM webhook_deliveries WHERE organization_id = $1';
    expect(await scene.service.database.rows(sql, [scene.organization.id])).toEqual([
      { status: 'CANCELED', workflow_id: null, action_id: null },
    ]);
    expect(await jobs()).toEqual([]);
  });

  it('is CANCELED when the receiver responds with 410 to another delivery', async () => {
    const id = await waiting();
    failing(410);
    await scene.calls.run(id);
    await until(async () => (await statuses(id)).join() === 'CANCELED,EXHAUSTED');
    expect((await scene.calls.get(id)).actions[0]?.disabledReason).toContain('410');
  });

  it('is CANCELED when its workflow is disabled between the start of its job and its attempt', async () => {
    const id = await waiting();
    const [delivery] = await scene.calls.deliveries(id);
    // As in a transaction that does not see the delivery.
    await scene.service.database.rows('UPDATE workflows SET enabled = false WHERE id = $1', [id]);
    const user = scene.service.nest.get(ActionDeliveries, { strict: false });
    const claim = { user, deliveryId: delivery?.id ?? '', sequence: 1, workerId: 'test' };
    const log = scene.service.nest.get(AttemptLog, { strict: false });
    expect(await log.begin(claim, scene.receiver.url)).toBeNull();
    expect(await scene.calls.deliveries(id)).toMatchObject([
      { status: 'CANCELED', nextAttemptAt: null, attemptCount: 1 },
    ]);
  });

  it('continues when another action is disabled', async () => {
    const id = await waiting(2);
    await disableFirst(id);
    expect(await statuses(id)).toEqual(['CANCELED', 'RETRYING']);
  });

  it('stays CANCELED when its workflow is enabled again, until it is replayed', async () => {
    const id = await waiting();
    await scene.calls.patch(id, { enabled: false });
    const [delivery] = await scene.calls.deliveries(id);
    expect(await scene.calls.replay(delivery?.id ?? '')).toMatchObject({
      status: 409,
      body: { code: 'workflow_disabled' },
    });
    const all = (ended?: string[]) =>
      scene.calls.replayAll(id, { since: new Date(Date.now() - 60_000), statuses: ended });
    expect(await all(['CANCELED'])).toMatchObject({ status: 202, body: { replayed: 0 } });
    await scene.calls.patch(id, { enabled: true });
    expect(await all()).toMatchObject({ status: 202, body: { replayed: 0 } });
    expect(await all(['EXHAUSTED', 'CANCELED'])).toMatchObject({ status: 202, body: { replayed: 1 } });
    await scene.calls.deliveryThatIs(id, 'DELIVERED');
    expect(scene.receiver.received).toHaveLength(2);
  });
});

describe('A run that waits for the end of its window', () => {
  it.each(['disabled', 'deleted'])('sends nothing when its workflow is %s', async (how) => {
    const issueId = await scene.things.issue(await scene.things.asset());
    const { id } = await scene.calls.make(scene.receiver.url, { trigger: { type: 'NEW_ISSUE' }, throttleMs: 3_000 });
    await scene.things.trigger('NEW_ISSUE', issueId);
    await until(async () => (await scene.calls.runs(id)).length === 1);
    const [run] = await scene.calls.runs(id);
    if (how === 'deleted') await scene.calls.remove(id);
    else await scene.calls.patch(id, { enabled: false });
    const kept = await scene.service.database.rows('SELECT status FROM workflow_runs WHERE id = $1', [run?.id]);
    expect(kept).toEqual([{ status: 'CANCELED' }]);
    if (how === 'disabled') {
      await scene.calls.patch(id, { enabled: true });
      expect(await scene.calls.runs(id)).toMatchObject([
        { status: 'CANCELED', reason: expect.stringContaining('disabled') },
      ]);
    }
    await new Promise((resolve) => setTimeout(resolve, 4_500));
    expect(scene.receiver.received).toEqual([]);
  });
});

describe('An attempt under way', () => {
  it.each([
    [200, 'DELIVERED'],
    [500, 'CANCELED'],
  ])(
    'is the last one when its workflow is disabled: with a %i response, its delivery is %s',
    async (status, expected) => {
      let end = (): void => undefined;
      scene.receiver.answer = (response) => {
        end = () => response.writeHead(status).end();
      };
      const { id } = await scene.calls.make(scene.receiver.url);
      await scene.calls.run(id);
      await scene.receiver.has(1);
      await scene.calls.patch(id, { enabled: false });
      expect(await statuses(id)).toEqual(['PENDING']);
      end();
      const delivery = await scene.calls.deliveryThatIs(id, expected);
      expect(delivery).toMatchObject({ nextAttemptAt: null, attempts: [{ number: 1, statusCode: status }] });
      await new Promise((resolve) => setTimeout(resolve, 4_500));
      expect(scene.receiver.received).toHaveLength(1);
    },
  );

  it('is followed by none, even when others are sent, retried and disabled concurrently', async () => {
    scene.receiver.answer = (response) => response.writeHead(500).end();
    const { id } = await scene.calls.make(scene.receiver.url);
    const running = Array.from({ length: 30 }, () => scene.calls.run(id).catch(() => undefined));
    await scene.receiver.has(5);
    const { status } = await scene.calls.patch(id, { enabled: false });
    expect(status).toBe(200);
    await Promise.all(running);
    const settled = async () => (await statuses(id)).every((one) => one !== 'PENDING' && one !== 'RETRYING');
    await until(async () => (await scene.calls.runs(id)).every((run) => run.status !== 'PENDING') && (await settled()));
    const sent = scene.receiver.received.length;
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    expect(scene.receiver.received).toHaveLength(sent);
    expect(new Set(await statuses(id))).toEqual(new Set(['CANCELED']));
    expect(await jobs()).toEqual([]);
  });
});
