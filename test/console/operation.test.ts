import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { JobQueue } from '../../src/platform/jobs/job-queue.js';
import { NodesService } from '../../src/store/nodes/nodes.service.js';
import { insertAdmin, insertUser } from '../support/accounts.js';
import { checkout } from '../support/checkout.js';
import { fillCart, insertProduct } from '../support/goods.js';
import { until } from '../support/receiver.js';
import { Acts } from './acts.js';
import { type ConsoleScene, startConsoleScene } from './console-scene.js';

let scene: ConsoleScene;
let acts: Acts;
let token: string;

beforeAll(async () => {
  scene = await startConsoleScene({ env: { DEMO_DATA: 'false', BACKUP_SCHEDULE: '0 3 * * *' } });
  const operator = await insertAdmin(scene.app, { username: 'night.watch' });
  token = operator.token;
  acts = new Acts(await scene.open(operator, 'operation'), scene.app);
});
afterAll(() => scene?.close());

const region = (name: string) => acts.page.getByRole('region', { name, exact: true });
const saw = (name: string, text: string | RegExp) => region(name).getByText(text).first().waitFor();

describe('Operation', () => {
  it('shows the checks with what to do, the worst first, and the backups', async () => {
    await scene.app.database.rows(
      `INSERT INTO backups (id, begun_at, ended_at, outcome, reason)
       VALUES (gen_random_uuid(), now() - interval '1 hour', now(), 'failed', 'the disk is full')`,
    );
    await scene.app.nest.get(NodesService, { strict: false }).tell();
    await acts.at('operation');
    await saw('Checks', 'The last backup failed: the disk is full');
    const states = await region('Checks').getByRole('listitem').allInnerTexts();
    expect(states[0]).toContain('Failed');
    await saw('Backups', 'the disk is full');
    await saw('Nodes', `process ${process.pid}`);
    await acts.page.getByText('None took more than half a second.').waitFor();
  });

  it('shows which webhook fails, and leads to it', async () => {
    await saw('Receivers that fail', 'Every webhook of the shop is received.');
    const { body: hook } = await scene.app.api.post<{ id: string }>('/api/v1/admin/webhooks', {
      token,
      json: { url: 'https://erp.example.com/hooks', events: ['order.placed'] },
    });
    await scene.app.database.rows("UPDATE store_webhooks SET failing_since = now() - interval '2 hours'");
    await acts.page.reload();
    await saw('Receivers that fail', /failing since/);
    await region('Receivers that fail').getByRole('link', { name: 'https://erp.example.com/hooks' }).click();
    await acts.page.waitForURL(new RegExp(hook.id));
  });

  it('tries given-up jobs anew, and drops them after a question', async () => {
    const queue = scene.app.nest.get(JobQueue, { strict: false });
    const giveUp = async (task: string) => {
      await queue.add(task, {}, { maxAttempts: 1 });
      await scene.app.database.rows(
        `SELECT graphile_worker.permanently_fail_jobs(ARRAY(
           SELECT id FROM graphile_worker.jobs WHERE task_identifier = $1), 'The printer is on fire')`,
        [task],
      );
    };
    await giveUp('printing');
    await giveUp('packing');
    await acts.at('operation');
    await saw('Queue', 'The printer is on fire');
    await region('Queue').getByRole('button', { name: 'Retry printing' }).click();
    await acts.said('1 job of printing will be tried again');
    await region('Queue').getByRole('button', { name: 'Drop packing' }).click();
    await acts.answer('Drop 1 job of packing?', 'Drop');
    await acts.said('1 job of packing is dropped');
    await until(async () => (await queue.givenUp()).length === 0, 'no job that is given up');
    expect(await scene.app.database.rows(`SELECT FROM graphile_worker.jobs WHERE task_identifier = 'packing'`)).toEqual(
      [],
    );
  });

  it('tells why an order was refused, by the id that its response had', async () => {
    const buyer = await insertUser(scene.app, { username: 'dana' });
    await fillCart(scene.app, buyer, [await insertProduct(scene.app, { name: 'Linen shirt', stock: 1 })], 2);
    const { headers, body } = await checkout(scene.app.api, buyer);
    const id = headers.get('x-request-id') ?? '';
    const kept = 'SELECT FROM noted_requests WHERE request_id = $1';
    await until(async () => (await scene.app.database.rows(kept, [id])).length === 1, 'the request');
    await acts.page.getByRole('link', { name: 'Requests', exact: true }).click();
    await acts.page.getByLabel('Request id').pressSequentially(id);
    await acts.page.keyboard.press('Enter');
    const drawer = acts.page.getByRole('dialog', { name: `Request ${id}` });
    await drawer.getByText((body as unknown as { detail: string }).detail).waitFor();
    await drawer.getByRole('link', { name: 'dana' }).waitFor();
    await acts.page.keyboard.press('Escape');
    await acts.page.getByRole('searchbox', { name: 'Username' }).pressSequentially('nobody');
    await acts.page.getByText('Nothing matches').waitFor();
    expect(acts.faults()).toEqual([]);
  });

  it('says so where no request has the id', async () => {
    await acts.at('operation/requests?request=unheard-of');
    await acts.page.getByText(/No request of this id failed/).waitFor();
  });
});
