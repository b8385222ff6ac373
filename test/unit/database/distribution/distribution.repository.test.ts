import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { JobRunner } from '../../../../src/platform/jobs/job-runner.js';
import { DistributionRepository } from '../../../../src/database/distribution/distribution.repository.js';
import { EventCalls, newEvent } from '../../../support/events.js';
import { HeldTransaction } from '../../../support/held-transaction.js';
import { insertOrganization } from '../../../support/organizations.js';
import { until } from '../../../support/receiver.js';
import { Scanning } from '../../../support/scanning.js';
import { startTestApp, type TestApp } from '../../../support/test-app.js';

let app: TestApp;
let repository: DistributionRepository;
beforeAll(async () => {
  app = await startTestApp();
  repository = await DistributionRepository.open(app.database.url);
});
afterAll(async () => {
  await repository.close();
  await app.close();
});

async function transactionsUnderWay(): Promise<number> {
  const [row] = await app.database.rows<{ now: Date }>('SELECT clock_timestamp() AS now');
  return repository.transactionsBefore(row?.now ?? new Date());
}

const untilOver = () => until(async () => (await transactionsUnderWay()) === 0, 'the end of all transactions');

describe('What npm run distribute waits for', () => {
  it('includes a transaction that has appended and is still open', async () => {
    const scanning = new Scanning(app, await insertOrganization(app));
    const scan = await scanning.scan();
    await new EventCalls(app, scanning.token).appended(scan.id, newEvent()); // creates the month
    const appending = await HeldTransaction.open(
      app.database,
      `SELECT append_events($1, $2, (SELECT application_id FROM scans WHERE id = $2), json_build_array(json_build_object('id', $2::uuid, 'created_at', now(),
         'level', 'INFO', 'stage', 'x', 'title', 'x', 'description', '', 'asset_ids', '{}', 'issue_ids', '{}', 'attachments', '[]'::json,
         'attachment_types', '{}', 'attachment_text', '')))`,
      [scanning.organization.id, scan.id],
    );
    await until(async () => (await transactionsUnderWay()) === 1, 'the one that appends, alone');
    await appending.commit();
    await untilOver();
  });

  it('includes a running statement, which may append with the function that existed when it began', async () => {
    const holder = await HeldTransaction.open(app.database, 'LOCK TABLE carts');
    // The service's own statements come and go.
    const underWay = (count: number) =>
      until(async () => (await transactionsUnderWay()) === count, `${count} under way`);
    try {
      await underWay(1);
      const waiting = app.database.rows('SELECT FROM carts');
      await holder.blocks(1);
      await underWay(2);
      await holder.commit();
      await waiting;
    } finally {
      await holder.commit().catch(() => undefined); // what it holds would hold up all others
    }
    await untilOver();
  });

  it('does not include the transaction with which a node that runs jobs shows that it is alive', async () => {
    app.nest.get(JobRunner).start();
    const holders = `SELECT FROM pg_locks JOIN pg_stat_activity USING (pid)
                      WHERE locktype = 'advisory' AND classid = 528411301 AND datname = current_database()
                        AND state = 'idle in transaction'`;
    await until(async () => (await app.database.rows(holders)).length > 0, 'the locks of a node');
    await untilOver();
    expect(await app.database.rows(holders)).not.toEqual([]);
  });
});
