import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { JobQueue } from '../../../src/platform/jobs/job-queue.js';
import { until } from '../../support/receiver.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ env: { BACKUP_SCHEDULE: 'off' }, jobs: true });
});
afterAll(() => app?.close());

describe('BACKUP_SCHEDULE=off', () => {
  it.each(['backup', 'backup-schedule'])('leaves no job of %s waiting from a time when it was on', async (task) => {
    const queue = app.nest.get(JobQueue, { strict: false });
    const runAt = new Date(Date.now() - 120_000);
    await queue.add(task, {}, { runAt });
    const due = 'SELECT FROM graphile_worker.jobs WHERE task_identifier = $1 AND run_at <= now()';
    await until(async () => (await app.database.rows(due, [task])).length === 0, `no due job of ${task}`);
    expect(await app.database.rows('SELECT FROM backups')).toEqual([]);
  });

  it('plans the next look at the schedule all the same: on another node it may be on', async () => {
    const queue = app.nest.get(JobQueue, { strict: false });
    await app.database.rows(`DELETE FROM graphile_worker._private_jobs WHERE key = 'backup-schedule'`);
    await queue.add('backup-schedule', {}, { runAt: new Date(Date.now() - 120_000) });
    const next = `SELECT FROM graphile_worker.jobs WHERE key = 'backup-schedule' AND run_at > now()`;
    await until(async () => (await app.database.rows(next)).length === 1, 'the next look');
  });
});
