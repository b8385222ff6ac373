import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DatabaseAddress } from '../../src/database/connections/database-address.js';
import { DatabaseOutage } from '../../src/platform/http/database-outage.js';
import { ServiceLife } from '../../src/platform/http/service-life.js';
import { JobMetrics } from '../../src/platform/jobs/job-metrics.js';
import { JobQueue } from '../../src/platform/jobs/job-queue.js';
import { JobRunner } from '../../src/platform/jobs/job-runner.js';
import { addQuietJobsSql } from '../../src/platform/jobs/jobs.statements.js';
import type { JobContext, TaskHandler } from '../../src/platform/jobs/task.js';
import { until } from '../support/receiver.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let proxy: TcpProxy;
let runner: JobRunner;
let queue: JobQueue;
let done: unknown[];

beforeAll(async () => {
  app = await startTestApp({
    reachDatabase: async (url) => {
      proxy = await startTcpProxy(Number(new URL(url).port));
      return Object.assign(new URL(url), { host: `127.0.0.1:${proxy.port}` }).href;
    },
  });
  queue = app.nest.get(JobQueue);
});
// A runner of its own for each test: one that has stopped does not begin again.
beforeEach(() => {
  const { nest } = app;
  const [address, metrics] = [nest.get(DatabaseAddress), nest.get(JobMetrics)];
  runner = new JobRunner(address, queue, metrics, nest.get(DatabaseOutage), nest.get(ServiceLife));
  done = [];
});
afterEach(async () => {
  await proxy.mend();
  await runner.stop();
  await app.database.rows('DELETE FROM graphile_worker._private_jobs');
});
afterAll(async () => {
  await app.close();
  await proxy.cut();
});

function register(name: string, handler: TaskHandler, deadlineSeconds = 60): void {
  runner.register(name, handler, { deadlineSeconds });
}

const never = new Promise<void>(() => undefined);

const note = async (payload: unknown): Promise<void> => {
  done.push(payload);
};

/** Waits until the runner has begun to work. */
async function begun(): Promise<void> {
  await until(async () => {
    const [row] = await app.database.rows<{ held: boolean }>(
      `SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND classid = 528411301
                        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())) AS held`,
    );
    return row?.held === true;
  });
  await sleep(500); // each worker has looked for a job once
}

describe('The job runner', () => {
  it('runs a job that is added', async () => {
    register('note', note);
    runner.start();
    await queue.add('note', { n: 1 });
    await until(() => done.length === 1);
    expect(done).toEqual([{ n: 1 }]);
  });

  it('runs a job when it is due, not before', async () => {
    register('note', note);
    runner.start();
    const time = Date.now() + 1_200;
    await queue.add('note', {}, { runAt: new Date(time) });
    await until(() => done.length === 1);
    expect(Date.now() - time).toBeGreaterThanOrEqual(-50);
  });

  it('finds jobs without a notification', async () => {
    register('note', note);
    runner.start();
    await begun();
    // Written without the function that adds jobs and notifies.
    await app.database.rows(
      `INSERT INTO graphile_worker._private_jobs (task_id, payload)
       SELECT id, '{}' FROM graphile_worker._private_tasks WHERE identifier = 'note'`,
    );
    await until(() => done.length === 1);
  });

  it('looks for quiet jobs soon, long before its workers would by themselves', async () => {
    register('note', note);
    runner.start();
    await begun();
    await queue.add('note', { loud: true }, { runAt: new Date(Date.now() + 5_000) });
    const quiet = { queue: 'ordinary', payload: `'{"quiet":true}'`, rows: '(SELECT) AS one' } as const;
    await app.database.rows(addQuietJobsSql('note', quiet));
    await until(() => done.length === 2);
    expect(done).toEqual([{ quiet: true }, { loud: true }]);
  });

  it('retries a job that throws', async () => {
    let tries = 0;
    register('fails', async () => {
      if (++tries === 1) throw new Error('once');
    });
    runner.start();
    await queue.add('fails', {});
    await until(() => tries === 2);
  });

  it("does not count it as a job's failure that the database was away", async () => {
    const seen: unknown[] = [];
    register('unlucky', async (_payload, { isRetry }) => {
      const [job] = await app.database.rows('SELECT attempts FROM graphile_worker._private_jobs WHERE key = $1', [
        'one',
      ]);
      seen.push({ ...job, isRetry });
      if (seen.length < 4) throw new Error('timeout exceeded when trying to connect');
    });
    runner.start();
    await queue.add('unlucky', {}, { key: 'one' });
    await until(() => seen.length === 4);
    expect(seen).toEqual([false, true, true, true].map((isRetry) => ({ attempts: 1, isRetry })));
  });

  it('resumes by itself after the database was away', async () => {
    register('note', note);
    runner.start();
    await begun();
    await proxy.cut();
    await sleep(3_000);
    await proxy.mend();
    await until(() =>
      queue.add('note', {}).then(
        () => true,
        () => false,
      ),
    );
    await until(() => done.length > 0);
  });

  it('hears nothing of jobs that end after the database was lost', async () => {
    let slow = 0;
    register('slow', () => {
      slow += 1;
      return slow > 4 ? Promise.resolve() : never;
    });
    register('cuts', async () => {
      await until(() => slow === 3);
      // So that the queue tries in vain to record the end of this job.
      await proxy.cut();
    });
    runner.start();
    await begun();
    for (let at = 0; at < 3; at += 1) await queue.add('slow', {});
    await queue.add('cuts', {});
    await until(() => slow === 3);
    // Jobs that ignore the loss are left to themselves after four seconds; a rejection that nobody handles fails this test.
    await sleep(10_000);
    await proxy.mend();
    await until(() => slow >= 6);
  });

  it('begins when the database comes back, if it is away at the start', async () => {
    register('note', note);
    await queue.add('note', {});
    await proxy.cut();
    runner.start();
    await sleep(1_500);
    await proxy.mend();
    await until(() => done.length === 1);
  });

  it('aborts its jobs in hand when the database is lost, and runs them again', async () => {
    const reasons: unknown[] = [];
    let inHand = false;
    register('waits', async (_payload, { signal }: JobContext) => {
      if (reasons.length > 0) return note('again');
      inHand = true;
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      reasons.push(signal.reason);
      throw signal.reason;
    });
    runner.start();
    await begun();
    await queue.add('waits', {});
    await until(() => inHand);
    await proxy.cut();
    await until(() => reasons.length === 1);
    await proxy.mend();
    await until(() => done.length === 1);
  });

  it('finishes its jobs in hand before it stops', async () => {
    register('slow', async () => {
      await sleep(700);
      await note('slow');
    });
    runner.start();
    await queue.add('slow', {});
    await until(async () => (await locked()) === 1);
    await runner.stop();
    expect(done).toEqual(['slow']);
    expect(await app.database.rows(`SELECT FROM graphile_worker.jobs WHERE task_identifier = 'slow'`)).toEqual([]);
  });

  it('hands back a job that takes too long to finish', async () => {
    register('endless', (_payload, { signal }: JobContext) => {
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
    });
    runner.start();
    await queue.add('endless', {});
    await until(async () => (await locked()) === 1);
    await runner.stop();
    expect(await locked()).toBe(0);
  });

  it('aborts a job whose deadline is over, and tries it again later', async () => {
    const reasons: unknown[] = [];
    const handler = (_payload: unknown, { signal }: JobContext): Promise<void> =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          reasons.push((signal.reason as Error).message);
          reject(new Error('aborted'));
        });
      });
    register('slow', handler, 0.2);
    runner.start();
    await queue.add('slow', {});
    await until(async () => {
      const [job] = await app.database.rows<{ attempts: number; last_error: string | null }>(
        `SELECT attempts, last_error FROM graphile_worker.jobs WHERE task_identifier = 'slow' AND locked_at IS NULL`,
      );
      return job?.attempts === 1 && job.last_error === 'aborted';
    });
    expect(reasons).toEqual(['It took longer than the 0.2 s that its task has']);
  });

  it('frees the workers of jobs that do not end when they are aborted', async () => {
    register('deaf', () => never, 0.2);
    register('note', note);
    runner.start();
    for (let n = 0; n < 8; n++) await queue.add('deaf', {});
    await until(async () => (await locked()) === 4);
    await queue.add('note', {});
    await until(() => done.length === 1);
  });

  it('lets no recurring task wait for a job, nor for another recurring task', async () => {
    register('deaf', () => never);
    for (const name of ['one', 'two', 'three', 'four', 'five']) {
      runner.registerRecurring({ name, everySeconds: 3_600, deadlineSeconds: 60, handler: () => never });
    }
    runner.registerRecurring({ name: 'often', everySeconds: 1, deadlineSeconds: 0.5, handler: () => note('often') });
    for (let n = 0; n < 8; n++) await queue.add('deaf', {});
    runner.start();
    await until(() => done.length >= 1);
    await app.database.rows(
      `UPDATE graphile_worker._private_jobs SET run_at = now() WHERE key IN ('one', 'two', 'three', 'four', 'five')`,
    );
    await until(async () => (await locked()) >= 9); // four deaf ones, and the five that hang
    const before = done.length;
    await until(() => done.length >= before + 2);
  });

  it('refuses a recurring task that could still run at its next time', () => {
    const task = { name: 'long', everySeconds: 60, deadlineSeconds: 60, handler: () => note('long') };
    expect(() => runner.registerRecurring(task)).toThrow('may still run at its next time');
  });

  it('keeps one job of a recurring task, and runs it periodically', async () => {
    runner.registerRecurring({ name: 'often', everySeconds: 1, deadlineSeconds: 0.5, handler: () => note('often') });
    runner.start();
    await until(() => done.length >= 3);
    const jobs = await app.database.rows(
      `SELECT FROM graphile_worker.jobs WHERE key = 'often' AND attempts < max_attempts`,
    );
    expect(jobs).toHaveLength(1);
  });
});

async function locked(): Promise<number> {
  return (await app.database.rows('SELECT FROM graphile_worker.jobs WHERE locked_at IS NOT NULL')).length;
}
