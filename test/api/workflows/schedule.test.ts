import { describe, expect, it } from '@jest/globals';
import { RunsService } from '../../../src/scanning/workflows/runs.service.js';
import { until } from '../../support/receiver.js';
import { workflowScene } from '../../support/workflow-scene.js';

interface Planned {
  run_at: Date;
  payload: { time: string };
}

const yearly = { type: 'SCHEDULE', cron: '30 6 1 1 *', timeZone: 'Europe/Berlin' };

const scene = workflowScene({ jobs: true });

function planned(id: string): Promise<Planned[]> {
  return scene.service.database.rows<Planned>(
    `SELECT j.run_at, p.payload FROM graphile_worker.jobs j JOIN graphile_worker._private_jobs p ON p.id = j.id
      WHERE j.task_identifier = 'workflow-schedule' AND p.payload->>'workflowId' = $1 AND j.attempts < j.max_attempts`,
    [id],
  );
}

/** Makes the schedule of a workflow due. */
async function makeDue(id: string): Promise<void> {
  await scene.service.database.rows(
    `UPDATE graphile_worker._private_jobs SET run_at = now() - interval '3 days' WHERE key = 'workflow-schedule:' || $1`,
    [id],
  );
}

describe('A schedule', () => {
  it('is one queued job at its next time, in its time zone', async () => {
    const { id } = await scene.calls.make(scene.receiver.url, { trigger: yearly });
    const [job, ...more] = await planned(id);
    expect(more).toEqual([]);
    const next = new Date().getUTCFullYear() + 1;
    expect(job?.run_at.toISOString()).toBe(`${next}-01-01T05:30:00.000Z`);
  });

  it('runs once at its time, and waits for the next', async () => {
    const { id } = await scene.calls.make(scene.receiver.url, { trigger: yearly });
    await makeDue(id);
    expect(await scene.calls.settledRuns(id)).toMatchObject([{ trigger: 'SCHEDULE', status: 'SENT' }]);
    await until(async () => (await planned(id)).some(({ run_at }) => run_at > new Date()));
    expect(await planned(id)).toHaveLength(1);
  });

  it('runs once for each time, however often its job is retried', async () => {
    const { id } = await scene.calls.make(scene.receiver.url, { trigger: yearly });
    const [job] = await planned(id);
    const runs = scene.service.nest.get(RunsService, { strict: false });
    const time = new Date(job?.payload.time ?? '');
    await Promise.all([1, 2, 3].map(() => runs.runScheduled(id, time)));
    expect(await scene.calls.runs(id)).toHaveLength(1);
  });

  it('is planned again by an update', async () => {
    const { id } = await scene.calls.make(scene.receiver.url, { trigger: yearly });
    await scene.calls.patch(id, { trigger: { ...yearly, timeZone: 'UTC' } });
    const [job, ...more] = await planned(id);
    expect(more).toEqual([]);
    expect(job?.run_at.toISOString()).toMatch(/-01-01T06:30:00.000Z$/);
  });

  it.each([
    ['disabled', { enabled: false }],
    ['given another trigger', { trigger: { type: 'MANUAL' } }],
  ])('is no longer planned once the workflow is %s', async (_name, changes) => {
    const { id } = await scene.calls.make(scene.receiver.url, { trigger: yearly });
    await scene.calls.patch(id, changes);
    expect(await planned(id)).toEqual([]);
  });

  it('is no longer planned once the workflow is deleted', async () => {
    const { id } = await scene.calls.make(scene.receiver.url, { trigger: yearly });
    await scene.calls.remove(id);
    expect(await planned(id)).toEqual([]);
  });

  it('gets a new job after losing it', async () => {
    const { id } = await scene.calls.make(scene.receiver.url, { trigger: yearly });
    const [before] = await planned(id);
    await scene.service.database.rows(`SELECT graphile_worker.remove_job('workflow-schedule:' || $1)`, [id]);
    await scene.service.database.rows(
      `UPDATE graphile_worker._private_jobs SET run_at = now() WHERE key = 'workflow-jobs'`,
    );
    await until(async () => (await planned(id)).length === 1);
    expect((await planned(id))[0]?.run_at).toEqual(before?.run_at);
  });
});
