import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RunsService } from '../../../src/scanning/workflows/runs.service.js';
import { insertOrganization } from '../../support/organizations.js';
import { type Receiver, startReceiver, until } from '../../support/receiver.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { WorkflowCalls } from '../../support/workflows.js';

interface Planned {
  run_at: Date;
  payload: { time: string };
}

const yearly = { type: 'SCHEDULE', cron: '30 6 1 1 *', timeZone: 'Europe/Berlin' };

let shop: TestApp;
let receiver: Receiver;
let calls: WorkflowCalls;
beforeAll(async () => {
  shop = await startTestApp({ env: { EGRESS_ALLOW: '127.0.0.1' }, jobs: true });
  calls = new WorkflowCalls(shop, await insertOrganization(shop));
  receiver = await startReceiver();
});
afterAll(async () => {
  await shop.close();
  await receiver.close();
});

function planned(id: string): Promise<Planned[]> {
  return shop.database.rows<Planned>(
    `SELECT j.run_at, p.payload FROM graphile_worker.jobs j JOIN graphile_worker._private_jobs p ON p.id = j.id
      WHERE j.task_identifier = 'workflow-schedule' AND p.payload->>'workflowId' = $1 AND j.attempts < j.max_attempts`,
    [id],
  );
}

/** Lets the time come that a workflow waits for. */
async function letTimeCome(id: string): Promise<void> {
  await shop.database.rows(
    `UPDATE graphile_worker._private_jobs SET run_at = now() - interval '3 days' WHERE key = 'workflow-schedule:' || $1`,
    [id],
  );
}

describe('A schedule', () => {
  it('is one queued job at its next time, in its time zone', async () => {
    const { id } = await calls.make(receiver.url, { trigger: yearly });
    const [job, ...more] = await planned(id);
    expect(more).toEqual([]);
    const next = new Date().getUTCFullYear() + 1;
    expect(job?.run_at.toISOString()).toBe(`${next}-01-01T05:30:00.000Z`);
  });

  it('runs once when its time has come, and waits for the next', async () => {
    const { id } = await calls.make(receiver.url, { trigger: yearly });
    await letTimeCome(id);
    expect(await calls.settledRuns(id)).toMatchObject([{ trigger: 'SCHEDULE', status: 'SENT' }]);
    await until(async () => (await planned(id)).some(({ run_at }) => run_at > new Date()));
    expect(await planned(id)).toHaveLength(1);
  });

  it('runs once for a time, however often its job is tried', async () => {
    const { id } = await calls.make(receiver.url, { trigger: yearly });
    const [job] = await planned(id);
    const runs = shop.app.get(RunsService, { strict: false });
    const time = new Date(job?.payload.time ?? '');
    await Promise.all([1, 2, 3].map(() => runs.runScheduled(id, time)));
    expect(await calls.runs(id)).toHaveLength(1);
  });

  it('is planned anew by an update', async () => {
    const { id } = await calls.make(receiver.url, { trigger: yearly });
    await calls.patch(id, { trigger: { ...yearly, timeZone: 'UTC' } });
    const [job, ...more] = await planned(id);
    expect(more).toEqual([]);
    expect(job?.run_at.toISOString()).toMatch(/-01-01T06:30:00.000Z$/);
  });

  it.each([
    ['disabled', { enabled: false }],
    ['given another trigger', { trigger: { type: 'MANUAL' } }],
  ])('is planned no more once the workflow is %s', async (_name, changes) => {
    const { id } = await calls.make(receiver.url, { trigger: yearly });
    await calls.patch(id, changes);
    expect(await planned(id)).toEqual([]);
  });

  it('is planned no more once the workflow is deleted', async () => {
    const { id } = await calls.make(receiver.url, { trigger: yearly });
    await calls.remove(id);
    expect(await planned(id)).toEqual([]);
  });

  it('gets its job back where that was lost', async () => {
    const { id } = await calls.make(receiver.url, { trigger: yearly });
    const [before] = await planned(id);
    await shop.database.rows(`SELECT graphile_worker.remove_job('workflow-schedule:' || $1)`, [id]);
    await shop.database.rows(`UPDATE graphile_worker._private_jobs SET run_at = now() WHERE key = 'workflow-jobs'`);
    await until(async () => (await planned(id)).length === 1);
    expect((await planned(id))[0]?.run_at).toEqual(before?.run_at);
  });
});
