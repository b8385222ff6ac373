import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Housekeeping } from '../../../src/scanning/webhook-export/housekeeping.js';
import { type InsertedOrganization, insertOrganization } from '../../support/organizations.js';
import { type Receiver, startReceiver, until } from '../../support/receiver.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { WorkflowCalls } from '../../support/workflows.js';

let shop: TestApp;
let receiver: Receiver;
let acme: InsertedOrganization;
let calls: WorkflowCalls;
beforeAll(async () => {
  shop = await startTestApp({ env: { EGRESS_ALLOW: '127.0.0.1', WEBHOOK_RETRY_SECONDS: '600' }, jobs: true });
  receiver = await startReceiver();
});
beforeEach(async () => {
  acme = await insertOrganization(shop);
  calls = new WorkflowCalls(shop, acme);
  receiver.received.length = 0;
  receiver.answer = (response) => response.end();
});
afterAll(async () => {
  await shop.close();
  await receiver.close();
});

async function delivered(): Promise<{ workflowId: string; deliveryId: string }> {
  const { id } = await calls.make(receiver.url);
  await calls.run(id);
  const { id: deliveryId } = await calls.deliveryThatIs(id, 'DELIVERED');
  return { workflowId: id, deliveryId };
}

/** A workflow whose only delivery failed once and waits for its retry. */
async function waiting(): Promise<string> {
  receiver.answer = (response) => {
    response.statusCode = 500;
    response.end();
  };
  const { id } = await calls.make(receiver.url);
  await calls.run(id);
  await calls.deliveryThatIs(id, 'RETRYING');
  receiver.answer = (response) => response.end();
  return id;
}

async function age(workflowId: string, days: number): Promise<void> {
  const sql = `UPDATE workflow_runs SET created_at = now() - $2 * interval '1 day' WHERE workflow_id = $1`;
  await shop.database.rows(sql, [workflowId, days]);
}

const keep = (): Promise<void> => shop.app.get(Housekeeping, { strict: false }).forget();

describe('Housekeeping', () => {
  it('keeps payloads for 30 days, and then the log alone', async () => {
    const { workflowId, deliveryId } = await delivered();
    const payload = `/api/v1/deliveries/${deliveryId}/payload`;
    const { token } = acme.admin;
    await age(workflowId, 29);
    await keep();
    expect((await shop.api.get(payload, { token })).status).toBe(200);
    await age(workflowId, 31);
    await keep();
    expect((await shop.api.get(payload, { token })).status).toBe(404);
    expect((await shop.api.post(`/api/v1/deliveries/${deliveryId}/replay`, { token })).status).toBe(404);
    expect(await calls.delivery(deliveryId)).toMatchObject({ status: 'DELIVERED', attempts: [{ number: 1 }] });
  });

  it('forgets runs and deliveries after 90 days', async () => {
    const { workflowId } = await delivered();
    await age(workflowId, 91);
    await keep();
    expect(await calls.runs(workflowId)).toEqual([]);
    expect(await calls.deliveries(workflowId)).toEqual([]);
  });

  it('keeps what is still to be sent, however old', async () => {
    const id = await waiting();
    await age(id, 100);
    await keep();
    expect(await calls.deliveries(id)).toMatchObject([{ status: 'RETRYING' }]);
  });
});

describe('A delivery that waits', () => {
  it('gets its job back where that was lost', async () => {
    const id = await waiting();
    await shop.database.rows(
      `WITH late AS (
         UPDATE webhook_deliveries SET next_attempt_at = now() - interval '10 minutes' WHERE workflow_id = $1 RETURNING id)
       SELECT graphile_worker.remove_job('webhook-delivery:' || id) FROM late`,
      [id],
    );
    await shop.database.rows(`UPDATE graphile_worker._private_jobs SET run_at = now() WHERE key = 'webhook-lost-jobs'`);
    await calls.deliveryThatIs(id, 'DELIVERED');
  });

  it('can be sent at once by a replay', async () => {
    const id = await waiting();
    const [delivery] = await calls.deliveries(id);
    const { status } = await shop.api.post(`/api/v1/deliveries/${delivery?.id}/replay`, { token: acme.admin.token });
    expect(status).toBe(202);
    await calls.deliveryThatIs(id, 'DELIVERED');
  });
});

describe('A delivery under way', () => {
  it('is not replayed before its end', async () => {
    let end = (): void => undefined;
    receiver.answer = (response) => {
      end = () => response.end();
    };
    const { id } = await calls.make(receiver.url);
    await calls.run(id);
    await receiver.has(1);
    const [delivery] = await calls.deliveries(id);
    const { status } = await shop.api.post(`/api/v1/deliveries/${delivery?.id}/replay`, { token: acme.admin.token });
    expect(status).toBe(409);
    end();
    await until(async () => (await calls.deliveries(id))[0]?.status === 'DELIVERED');
    expect(receiver.received).toHaveLength(1);
  });
});
