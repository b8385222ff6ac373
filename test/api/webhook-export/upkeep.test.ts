import { describe, expect, it } from '@jest/globals';
import { Housekeeping } from '../../../src/scanning/webhook-export/housekeeping.js';
import { until } from '../../support/receiver.js';
import { workflowScene } from '../../support/workflow-scene.js';

const scene = workflowScene({ env: { WEBHOOK_RETRY_SECONDS: '600' }, jobs: true });

async function delivered(): Promise<{ workflowId: string; deliveryId: string }> {
  const { id } = await scene.calls.make(scene.receiver.url);
  await scene.calls.run(id);
  const { id: deliveryId } = await scene.calls.deliveryThatIs(id, 'DELIVERED');
  return { workflowId: id, deliveryId };
}

/** A workflow whose only delivery failed once and waits for its retry. */
async function waiting(): Promise<string> {
  scene.receiver.answer = (response) => {
    response.statusCode = 500;
    response.end();
  };
  const { id } = await scene.calls.make(scene.receiver.url);
  await scene.calls.run(id);
  await scene.calls.deliveryThatIs(id, 'RETRYING');
  scene.receiver.answer = (response) => response.end();
  return id;
}

async function age(workflowId: string, days: number): Promise<void> {
  const sql = `UPDATE workflow_runs SET created_at = now() - $2 * interval '1 day' WHERE workflow_id = $1`;
  await scene.service.database.rows(sql, [workflowId, days]);
}

const removeOld = (): Promise<void> => scene.service.nest.get(Housekeeping, { strict: false }).removeOld();

describe('Housekeeping', () => {
  it('keeps payloads for 30 days, and after that only the log', async () => {
    const { workflowId, deliveryId } = await delivered();
    const payload = `/api/v1/deliveries/${deliveryId}/payload`;
    const { token } = scene.organization.admin;
    await age(workflowId, 29);
    await removeOld();
    expect((await scene.service.api.get(payload, { token })).status).toBe(200);
    await age(workflowId, 31);
    await removeOld();
    expect((await scene.service.api.get(payload, { token })).status).toBe(404);
    expect((await scene.calls.replay(deliveryId)).status).toBe(404);
    expect(await scene.calls.delivery(deliveryId)).toMatchObject({ status: 'DELIVERED', attempts: [{ number: 1 }] });
  });

  it('removes runs and deliveries after 90 days', async () => {
    const { workflowId } = await delivered();
    await age(workflowId, 91);
    await removeOld();
    expect(await scene.calls.runs(workflowId)).toEqual([]);
    expect(await scene.calls.deliveries(workflowId)).toEqual([]);
  });

  it('keeps pending deliveries, however old', async () => {
    const id = await waiting();
    await age(id, 100);
    await removeOld();
    expect(await scene.calls.deliveries(id)).toMatchObject([{ status: 'RETRYING' }]);
  });
});

describe('A delivery that waits', () => {
  it('gets a new job after losing it', async () => {
    const id = await waiting();
    await scene.service.database.rows(
      `WITH late AS (
         UPDATE webhook_deliveries SET next_attempt_at = now() - interval '10 minutes' WHERE workflow_id = $1 RETURNING id)
       SELECT graphile_worker.remove_job('webhook-delivery:' || id) FROM late`,
      [id],
    );
    await scene.service.database.rows(
      `UPDATE graphile_worker._private_jobs SET run_at = now() WHERE key = 'webhook-lost-jobs'`,
    );
    await scene.calls.deliveryThatIs(id, 'DELIVERED');
  });

  it('can be sent at once by a replay', async () => {
    const id = await waiting();
    const [delivery] = await scene.calls.deliveries(id);
    const { status } = await scene.calls.replay(delivery?.id ?? '');
    expect(status).toBe(202);
    await scene.calls.deliveryThatIs(id, 'DELIVERED');
  });
});

describe('A delivery under way', () => {
  it('is not replayed before its end', async () => {
    let end = (): void => undefined;
    scene.receiver.answer = (response) => {
      end = () => response.end();
    };
    const { id } = await scene.calls.make(scene.receiver.url);
    await scene.calls.run(id);
    await scene.receiver.has(1);
    const [delivery] = await scene.calls.deliveries(id);
    const { status } = await scene.calls.replay(delivery?.id ?? '');
    expect(status).toBe(409);
    end();
    await until(async () => (await scene.calls.deliveries(id))[0]?.status === 'DELIVERED');
    expect(scene.receiver.received).toHaveLength(1);
  });
});
