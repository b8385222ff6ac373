import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidV7 } from '../../../src/platform/crypto/uuid-v7.js';
import { SecretBox } from '../../../src/platform/crypto/secret-box.js';
import {
  listOfAll,
  listOfWorkflow,
  listOfWorkflows,
} from '../../../src/scanning/webhook-export/deliveries.repository.js';
import { deliveryStatuses, sealedUrlPlace } from '../../../src/platform/delivery/delivery-statuses.js';
import type { Delivery } from '../../../src/scanning/webhook-export/deliveries.dto.js';
import { readsOf, rowsIn, walksIn } from '../../support/explain.js';
import { type InsertedOrganization, insertOrganization } from '../../support/organizations.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { WorkflowCalls } from '../../support/workflows.js';

const url = 'https://192.0.32.10/hook?key=of-the-address';

let app: TestApp;
let acme: InsertedOrganization;
let workflows: string[];
/** By number, from the oldest on: one a minute, with alternating statuses and workflows. */
let deliveries: { id: string; status: string; workflowId: string; at: string }[];
beforeAll(async () => {
  app = await startTestApp();
  acme = await insertOrganization(app);
  const calls = new WorkflowCalls(app, acme);
  workflows = [(await calls.make(url)).id, (await calls.make(url)).id];
  deliveries = [];
  for (let n = 0; n < 20; n++) deliveries.push(await insert(acme, n, workflows[n % 2] ?? ''));
  const other = await insertOrganization(app);
  await insert(other, 0, (await new WorkflowCalls(app, other).make(url)).id);
});
afterAll(() => app.close());

async function insert({ id: organizationId }: InsertedOrganization, n: number, workflowId: string) {
  const [id, runId] = [uuidV7(), uuidV7()];
  const status = deliveryStatuses[n % 5] ?? '';
  const at = new Date(Date.UTC(2026, 8, 1, 12, n)).toISOString();
  await app.database.rows(
    `INSERT INTO workflow_runs (id, organization_id, workflow_id, trigger_type, status) VALUES ($1, $2, $3, 'MANUAL', 'SENT')`,
    [runId, organizationId, workflowId],
  );
  await app.database.rows(
    `INSERT INTO webhook_deliveries (id, organization_id, workflow_id, action_id, run_id, url_sealed, payload_bytes, status, created_at)
     SELECT $1, $2, $3, a.id, $4, $5, 7, $6, $7 FROM workflow_actions a WHERE a.workflow_id = $3`,
    [
      id,
      organizationId,
      workflowId,
      runId,
      app.nest.get(SecretBox, { strict: false }).seal(url, sealedUrlPlace(id)),
      status,
      at,
    ],
  );
  await app.database.rows(
    `INSERT INTO webhook_attempts (delivery_id, number, duration_ms, status_code, response)
     SELECT $1, n, 1, 500, repeat('x', 20000) FROM generate_series(1, $2) AS n`,
    [id, n === 19 ? 60 : 1],
  );
  return { id, status, workflowId, at };
}

type Page = { data: (Omit<Delivery, 'createdAt'> & { createdAt: string })[]; nextCursor: string | null };
const get = (query = '', token = acme.admin.token) => app.api.get<Page>(`/api/v1/deliveries?${query}`, { token });
const newest = () => [...deliveries].reverse();
const ids = ({ data }: Page): string[] => data.map(({ id }) => id);

describe('GET /api/v1/deliveries', () => {
  it('lists the deliveries of all workflows of the organization, newest first', async () => {
    const { status, body } = await get();
    expect(status).toBe(200);
    expect(
      body.data.map(({ id, status: of, workflowId, createdAt }) => ({ id, status: of, workflowId, at: createdAt })),
    ).toEqual(newest());
    expect(body.nextCursor).toBeNull();
  });

  it('pages by a cursor', async () => {
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body }: { body: Page } = await get(
        `size=3&status=PENDING,EXHAUSTED,CANCELED${cursor && `&cursor=${cursor}`}`,
      );
      expect(body.data.length).toBeLessThanOrEqual(3);
      seen.push(...ids(body));
      cursor = body.nextCursor;
    }
    const wanted = newest().filter(({ status }) => ['PENDING', 'EXHAUSTED', 'CANCELED'].includes(status));
    expect(seen).toEqual(wanted.map(({ id }) => id));
  });

  it.each(deliveryStatuses)('filters by the status %s', async (status) => {
    expect(ids((await get(`status=${status}`)).body)).toEqual(
      newest()
        .filter((one) => one.status === status)
        .map(({ id }) => id),
    );
  });

  it('filters by workflows, their statuses and time together', async () => {
    const [first, second] = workflows;
    const from = deliveries[4]?.at ?? '';
    const to = deliveries[14]?.at ?? '';
    const { body } = await get(`workflowIds=${second}&status=EXHAUSTED&status=RETRYING&since=${from}&until=${to}`);
    const wanted = newest().filter(
      ({ workflowId, status, at }) =>
        workflowId === second && ['EXHAUSTED', 'RETRYING'].includes(status) && at >= from && at < to,
    );
    expect(wanted.length).toBeGreaterThan(1);
    expect(ids(body)).toEqual(wanted.map(({ id }) => id));
    expect(ids((await get(`workflowIds=${first},${second},${first}`)).body)).toHaveLength(20);
  });

  it('includes `since` and excludes `until`', async () => {
    const [from, to] = [deliveries[3]?.at, deliveries[6]?.at];
    expect(ids((await get(`since=${from}&until=${to}`)).body)).toEqual([5, 4, 3].map((n) => deliveries[n]?.id));
  });

  it('returns an empty list for a workflow of another organization', async () => {
    const other = await insertOrganization(app);
    const foreign = await new WorkflowCalls(app, other).make(url);
    expect((await get(`workflowIds=${foreign.id}`)).body.data).toEqual([]);
    expect((await get(`workflowIds=${workflows[0]}`, other.admin.token)).body.data).toEqual([]);
  });

  it.each([
    ['status=SENT', ['query', 'status', 0]],
    ['workflowIds=x', ['query', 'workflowIds', 0]],
    ['since=yesterday', ['query', 'since']],
    ['until=2026-01-01', ['query', 'until']],
    ['cursor=x', ['query', 'cursor']],
    ['size=101', ['query', 'size']],
  ])('responds with 422 for %s', async (query, loc) => {
    const { status, body } = await get(query);
    expect(status).toBe(422);
    expect((body as unknown as { detail: unknown[] }).detail).toMatchObject([{ loc }]);
  });

  it('shows the newest 50 attempts, their number, and the beginning of responses', async () => {
    const [last] = (await get('size=1')).body.data;
    expect(last?.attemptCount).toBe(60);
    expect(last?.attempts.map(({ number }) => number)).toEqual(Array.from({ length: 50 }, (_, n) => n + 11));
    expect(last?.attempts[0]?.response).toHaveLength(500);
    const { body } = await app.api.get<Delivery>(`/api/v1/deliveries/${last?.id}`, { token: acme.admin.token });
    expect(body.attempts[0]?.response).toHaveLength(20_000);
  });

  it('shows responses and full addresses only to admins', async () => {
    for (const role of ['viewer', 'member'] as const) {
      const lists = [await get('', acme[role].token)];
      lists.push(await app.api.get<Page>(`/api/v1/workflows/${workflows[0]}/deliveries`, { token: acme[role].token }));
      for (const { body } of lists) {
        expect(body.data.length).toBeGreaterThan(0);
        for (const { url: shown, attempts } of body.data) {
          expect(shown).toBe('https://192.0.32.10/hook');
          expect(attempts.map(({ response }) => response)).toEqual(attempts.map(() => null));
        }
      }
    }
    expect((await get()).body.data[0]?.url).toBe(url);
  });
});

describe('GET /api/v1/workflows/:id/deliveries', () => {
  const of = (query: string) =>
    app.api.get<Page>(`/api/v1/workflows/${workflows[1]}/deliveries?${query}`, { token: acme.admin.token });
  const ofWorkflow = () => newest().filter(({ workflowId }) => workflowId === workflows[1]);

  it('filters by statuses and time, and pages by a cursor', async () => {
    const [from, to] = [deliveries[3]?.at ?? '', deliveries[17]?.at ?? ''];
    const filter = `status=EXHAUSTED&status=RETRYING&since=${from}&until=${to}`;
    const wanted = ofWorkflow().filter(
      ({ status, at }) => ['EXHAUSTED', 'RETRYING'].includes(status) && at >= from && at < to,
    );
    expect(wanted.length).toBeGreaterThan(1);
    const first = (await of(`${filter}&size=1`)).body;
    const rest = (await of(`${filter}&cursor=${first.nextCursor}`)).body;
    expect([...ids(first), ...ids(rest)]).toEqual(wanted.map(({ id }) => id));
    expect(ids((await of('')).body)).toEqual(ofWorkflow().map(({ id }) => id));
  });

  it('shows whole responses', async () => {
    expect((await of('size=1')).body.data[0]?.attempts[0]?.response).toHaveLength(20_000);
  });

  it.each([
    ['status=SENT', ['query', 'status', 0]],
    ['until=2026-01-01', ['query', 'until']],
    ['workflowIds=x', ['query', 'workflowIds']],
  ])('responds with 422 for %s', async (query, loc) => {
    const { status, body } = await of(query);
    expect(status).toBe(422);
    expect((body as unknown as { detail: unknown[] }).detail).toMatchObject([{ loc }]);
  });
});

describe('The list of deliveries', () => {
  const filled = 30_000;
  const organizationId = uuidV7();
  const workflowIds = [uuidV7(), uuidV7(), uuidV7()];
  const start = ['infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff', 51, '-infinity', 'infinity'];

  beforeAll(async () => {
    await app.database.rows(`INSERT INTO organizations (id, name) VALUES ($1, 'Large')`, [organizationId]);
    await app.database.rows(
      `INSERT INTO workflows (id, organization_id, name, trigger_type) SELECT unnest($2::uuid[]), $1, 'w', 'MANUAL'`,
      [organizationId, workflowIds],
    );
    await app.database.rows(
      `WITH run AS (INSERT INTO workflow_runs (id, organization_id, trigger_type, status) VALUES ($1, $1, 'MANUAL', 'SENT'))
       INSERT INTO webhook_deliveries (id, organization_id, workflow_id, run_id, url_sealed, payload_bytes, status, created_at)
       SELECT gen_random_uuid(), $1, ($2::uuid[])[CASE WHEN n % 3000 = 5 THEN 3 ELSE 1 + n % 2 END], $1, '', 1,
              CASE WHEN n % 3000 = 5 THEN 'EXHAUSTED' ELSE 'DELIVERED' END, timestamptz '2026-01-01' + n * interval '1 minute'
         FROM generate_series(1, ${filled}) AS n`,
      [organizationId, workflowIds],
    );
    await app.database.rows('VACUUM ANALYZE webhook_deliveries');
  });

  it.each([
    ['all', [...deliveryStatuses], undefined],
    ['a rare status', ['EXHAUSTED'], undefined],
    ['two workflows', [...deliveryStatuses], workflowIds.slice(0, 2)],
    ['a rare status of a workflow that has none', ['EXHAUSTED'], workflowIds.slice(0, 1)],
    ['one workflow', [...deliveryStatuses], workflowIds[0]],
    ['a rare status of one workflow', ['EXHAUSTED'], workflowIds[2]],
  ])('reads hardly more rows than it shows for %s', async (_name, statuses, ofWorkflows) => {
    const values = [organizationId, ...start, statuses];
    const { text } = typeof ofWorkflows === 'string' ? listOfWorkflow : ofWorkflows ? listOfWorkflows : listOfAll;
    const reads = await readsOf(app.database, text, ofWorkflows ? [...values, ofWorkflows] : values);
    expect(walksIn(reads)).toEqual([]);
    expect(rowsIn(reads)).toBeLessThan(500);
  });
});
