import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { DeadWorkers } from '../../../../src/platform/jobs/dead-workers.js';
import { createTestDatabase, type TestDatabase } from '../../../support/test-database.js';

describe('DeadWorkers', () => {
  let database: TestDatabase;
  let connections: pg.Pool;

  beforeEach(async () => {
    database = await createTestDatabase();
    connections = new pg.Pool({ connectionString: database.url });
  });

  afterEach(async () => {
    await connections.end();
    await database.drop();
  });

  const add = (key: string | null): Promise<unknown> =>
    connections.query('SELECT FROM graphile_worker.add_job($1, job_key => $2)', ['deliver', key]);

  /** Takes all jobs as the library does, as a worker that nobody has seen alive. */
  const take = (attempts: number): Promise<unknown> =>
    connections.query(
      `UPDATE graphile_worker._private_jobs
          SET locked_by = 'dead', locked_at = clock_timestamp(), attempts = $1
        WHERE is_available`,
      [attempts],
    );

  const jobs = (): Promise<unknown[]> =>
    database.rows(
      'SELECT key, attempts, locked_by AS "lockedBy" FROM graphile_worker.jobs ORDER BY graphile_worker.jobs.id',
    );

  it('frees the jobs of a worker that ended, to be tried again', async () => {
    await add('of one subject');
    await add(null);
    await take(1);
    await new DeadWorkers(connections).free(['dead']);
    expect(await jobs()).toEqual([
      { key: 'of one subject', attempts: 1, lockedBy: null },
      { key: null, attempts: 1, lockedBy: null },
    ]);
  });

  it('takes out a job that had planned the next one about its subject, and keeps the next one', async () => {
    await add('of one subject');
    await take(1);
    await add('of one subject');
    await new DeadWorkers(connections).free(['dead']);
    expect(await jobs()).toEqual([{ key: 'of one subject', attempts: 0, lockedBy: null }]);
  });

  it('keeps a job at its last try as given up', async () => {
    await add(null);
    await take(25);
    await new DeadWorkers(connections).free(['dead']);
    expect(await jobs()).toEqual([{ key: null, attempts: 25, lockedBy: null }]);
  });
});
