import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { insertUser } from '../support/accounts.js';
import { placeOrder } from '../support/checkout.js';
import { fillCart, insertProduct } from '../support/goods.js';
import { startMailServer, type MailServer } from '../support/mail-server.js';
import { until } from '../support/receiver.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

/** What Prometheus's client names without a suffix for what it counts, and what counts as a unit. */
const units = /_(?:seconds|bytes|ratio|total|info|max)$/;

interface Family {
  name: string;
  type: string;
  help: string;
  samples: { labels: string; value: number }[];
}

let app: TestApp;
let server: MailServer;
let families: Family[];

async function read(): Promise<Family[]> {
  const { body } = await app.api.get<string>('/metrics');
  const found = new Map<string, Family>();
  for (const line of body.split('\n')) {
    const [, comment, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) ?(.*)$/.exec(line) ?? [];
    if (comment === 'HELP') found.set(name, { name, type: '', help: rest, samples: [] });
    if (comment === 'TYPE') Object.assign(found.get(name) ?? {}, { type: rest });
    const [, of = '', labels = '', value] = /^([a-z_0-9]+)(\{.*\})? (\S+)$/.exec(line) ?? [];
    const family = found.get(of) ?? found.get(of.replace(/_(bucket|sum|count)$/, ''));
    if (value !== undefined) family?.samples.push({ labels, value: Number(value) });
  }
  return [...found.values()];
}

const valueOf = async (name: string, labels = ''): Promise<number | undefined> =>
  (await read()).find((family) => family.name === name)?.samples.find((sample) => sample.labels === labels)?.value;

beforeAll(async () => {
  server = await startMailServer();
  app = await startTestApp({ env: server.env, jobs: true });
  families = await read();
});
afterAll(async () => {
  await app.close();
  await server.close();
});

describe('Every metric', () => {
  const ours = () => families.filter(({ name }) => !/^(?:process|nodejs)_/.test(name));

  it('is there, with a help that says what it is', () => {
    expect(ours().length).toBeGreaterThan(20);
    expect(ours().filter(({ help }) => !/^[A-Z].{10,}[^.]$/.test(help))).toEqual([]);
  });

  it('ends in _total if it is a counter, and only then', () => {
    const wrong = ours().filter(({ name, type }) => name.endsWith('_total') !== (type === 'counter'));
    expect(wrong.map(({ name, type }) => `${name} is a ${type}`)).toEqual([]);
  });

  it('that is a duration or a size says its unit last', () => {
    const measures = ours().filter(({ name }) => /seconds|bytes/.test(name));
    expect(measures.filter(({ name }) => !units.test(name)).map(({ name }) => name)).toEqual([]);
  });
});

describe('The metrics', () => {
  it('show each task before its first job', () => {
    for (const name of ['jobs_waiting', 'jobs_oldest_waiting_seconds', 'jobs_planned', 'jobs_in_hand']) {
      const labels = families.find((family) => family.name === name)?.samples.map((sample) => sample.labels);
      for (const task of ['mail', 'workflow-run', 'event-retention']) expect(labels).toContain(`{task="${task}"}`);
    }
  });

  it('show versions, pools, and no backup where there was none', () => {
    const of = (name: string) => families.find((family) => family.name === name)?.samples;
    expect(of('build_info')).toEqual([{ labels: `{version="1.0.0",node="${process.version}"}`, value: 1 }]);
    expect(of('database_up')?.[0]?.value).toBe(1);
    expect(of('backup_last_success_timestamp_seconds')).toEqual([]);
    const pools = of('database_connections_max')?.map(({ labels }) => labels);
    expect(pools).toEqual(expect.arrayContaining(['{pool="requests"}', '{pool="searches"}', '{pool="jobs"}']));
  });

  it('show a mail that waits, and that it was sent', async () => {
    server.always = { at: 'recipient', does: 451 };
    const user = await insertUser(app);
    await fillCart(app, user, [await insertProduct(app)]);
    await placeOrder(app.api, user);
    await until(async () => (await valueOf('mails_total', '{outcome="failed"}')) === 1, 'the failed attempt', 200);
    await until(async () => (await valueOf('mails_waiting')) === 1, 'a mail that waits', 200);
    expect(await valueOf('jobs_ended_total', '{task="mail",result="failed"}')).toBe(1);
    server.always = undefined;
    await app.database.rows('UPDATE graphile_worker._private_jobs SET run_at = now()');
    await until(async () => (await valueOf('mails_total', '{outcome="sent"}')) === 1, 'the mail', 200);
    await until(async () => (await valueOf('mails_waiting')) === 0, 'no mail that waits', 200);
  });

  it('show how long the oldest job has waited, as /health does', async () => {
    expect((await app.api.get<{ jobs: string }>('/health')).body.jobs).toBe('on_time');
    await app.database.rows(
      `INSERT INTO graphile_worker._private_tasks (identifier) VALUES ('of-no-node');
       INSERT INTO graphile_worker._private_jobs (task_id, run_at)
       SELECT id, now() - interval '10 minutes' FROM graphile_worker._private_tasks WHERE identifier = 'of-no-node'`,
    );
    const labels = '{task="of-no-node"}';
    await until(async () => ((await valueOf('jobs_oldest_waiting_seconds', labels)) ?? 0) >= 600, 'the age', 200);
    expect(await valueOf('jobs_waiting', labels)).toBe(1);
    expect((await app.api.get<{ jobs: string }>('/health')).body.jobs).toBe('late');
  });
});
