import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Settings } from '../../../src/config/settings.js';
import { DemoDataService } from '../../../src/demo/demo-data.service.js';
import { DemoUpkeepService } from '../../../src/demo/demo-upkeep.service.js';
import { prepareData } from '../../../src/cli/serving.js';
import { ThreatFeedsService } from '../../../src/scanning/threat-feeds/threat-feeds.service.js';
import { FirstAdminService } from '../../../src/store/accounts/first-admin.service.js';
import { holdToSchema } from '../../support/payload-schemas.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

interface Page {
  data: Record<string, unknown>[];
  nextCursor: string | null;
}

const admin = { username: 'admin', email: 'admin@example.com', password: 'correct-horse-7' };

let app: TestApp;
let demo: DemoDataService;
let upkeep: DemoUpkeepService;
let key: string | undefined;
let headers: Record<string, string>;
beforeAll(async () => {
  app = await startTestApp({ env: { DEMO_DATA: 'true' } });
  demo = app.nest.get(DemoDataService);
  upkeep = app.nest.get(DemoUpkeepService);
  await demo.loadOnce();
  await app.nest.get(FirstAdminService).ensure(admin);
  key = await upkeep.openOrganization();
  headers = { 'X-API-Key': key ?? '' };
});
afterAll(() => app.close());

/** Every entry of a list. The test client checks each page against the interface description. */
async function all(path: string): Promise<Record<string, unknown>[]> {
  const entries: Record<string, unknown>[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const after: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const { status, body } = await app.api.get(`/api/v1/${path}?size=100${after}`, { headers });
    expect(status).toBe(200);
    const page = body as Page;
    entries.push(...page.data);
    cursor = page.nextCursor;
  }
  return entries;
}

describe('The demo of the scanning wing', () => {
  it.each(['profiles', 'tags', 'locations', 'integrations', 'assets', 'scans', 'issues', 'workflows'])(
    'shows its %s as the interface description has them',
    async (path) => {
      expect((await all(path)).length).toBeGreaterThanOrEqual(3);
    },
  );

  it('shows each of its events once, newest first', async () => {
    const events = await all('events');
    const moments = events.map(({ createdAt }) => String(createdAt));
    expect(events.length).toBeGreaterThan(2_900);
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
    expect(moments).toEqual(moments.toSorted().toReversed());
  });

  it('finds the events of an issue, and text in attachments', async () => {
    const [issue] = await all('issues');
    const ofIssue = await app.api.get(`/api/v1/events?issueIds=${String(issue?.['id'])}`, { headers });
    expect((ofIssue.body as Page).data.length).toBeGreaterThanOrEqual(1);
    const ofText = await app.api.get('/api/v1/events?search=harbour-scanner&attachments=EXCHANGE', { headers });
    expect((ofText.body as Page).data).toHaveLength(50);
  });

  it('shows an issue with its targets and activities', async () => {
    const issues = await all('issues');
    const resolved = issues.find(({ status }) => status === 'RESOLVED');
    const path = `/api/v1/issues/${String(resolved?.['id'])}`;
    expect((await app.api.get(path, { headers })).status).toBe(200);
    const { data } = (await app.api.get(`${path}/activities`, { headers })).body as Page;
    expect(data.length).toBeGreaterThanOrEqual(2);
    expect(data.at(-1)).toMatchObject({ kind: 'STATUS', from: null, to: 'OPEN', actor: { kind: 'SYSTEM' } });
  });

  it('shows issues with branches, a line at the code host, scores, people and times', async () => {
    const named = async (name: string) => {
      const found = (await all('issues')).find((one) => one['name'] === name);
      return (await app.api.get<Record<string, unknown>>(`/api/v1/issues/${String(found?.['id'])}`, { headers })).body;
    };
    expect(await named('Query is put together from user input')).toMatchObject({
      assignee: { username: 'priya_nair' },
      dueAt: expect.any(String),
      branches: [
        { name: 'main', default: true, present: true },
        { name: 'feature/order-search', default: false, present: true },
      ],
      location: { startLine: 58, url: expect.stringMatching(/^https:\/\/github\..*\/blob\/4c1f7a9.*#L58$/) },
      identifiers: [{ type: 'CWE', value: 'CWE-89' }],
    });
    expect(await named('Library with known weaknesses')).toMatchObject({ kev: true, epss: 0.3544 });
    expect(await named('Archive is unpacked to wherever it says')).toMatchObject({
      acceptedUntil: expect.any(String),
      acceptedBy: { name: 'priya_nair' },
    });
    const branches = (await all('branches')).map(({ name, pullRequest }) => [name, pullRequest]);
    expect(branches).toContainEqual(['feature/order-search', '128']);
    const overdue = (await app.api.get('/api/v1/issues?overdue=true', { headers })).body as Page;
    expect(overdue.data.map(({ name }) => name)).toEqual(['SQL injection in the order search']);
    const notices = (await all('workflows')).flatMap(
      ({ actions }) => actions as { type: string; integrationKind: string }[],
    );
    expect(notices).toContainEqual(expect.objectContaining({ type: 'NOTIFY', integrationKind: 'SLACK' }));
    await app.nest.get(ThreatFeedsService, { strict: false }).readAll();
    expect(await named('Library with known weaknesses')).toMatchObject({ kev: true });
  });

  it('matches the schemas of both payload variants', async () => {
    const workflows = await all('workflows');
    const manual = workflows.find(({ name }) => name === 'Everything, by hand');
    const { status, body } = await app.api.post(`/api/v1/workflows/${String(manual?.['id'])}/preview`, { headers });
    expect(status).toBe(200);
    const preview = body as Record<'default' | 'scoped', Record<string, unknown[]>>;
    const schemas = await holdToSchema(app.baseUrl);
    schemas.default(preview.default);
    schemas.scoped(preview.scoped);
    for (const root of Object.values(preview.default)) expect(root.length).toBeGreaterThanOrEqual(3);
  });

  it('shows past deliveries of its workflows, with payloads that match their schema, and sends nothing', async () => {
    const deliveries = await all('deliveries');
    const outcomes = deliveries.map(({ status, attemptCount }) => `${String(status)} ${String(attemptCount)}`);
    expect(outcomes).toEqual([
      'DELIVERED 1',
      'DELIVERED 1',
      'DELIVERED 3',
      'EXHAUSTED 8',
      'DELIVERED 3',
      'DELIVERED 1',
      'DELIVERED 1',
    ]);
    const schemas = await holdToSchema(app.baseUrl);
    for (const { id, attempts, payloadBytes } of deliveries) {
      const last = (attempts as { startedAt: string }[]).at(-1);
      expect(Date.parse(String(last?.startedAt))).toBeLessThan(Date.now());
      const answer = await fetch(`${app.baseUrl}/api/v1/deliveries/${String(id)}/payload`, { headers });
      const payload = await answer.text();
      expect(Buffer.byteLength(payload)).toBe(payloadBytes);
      schemas.default(JSON.parse(payload));
      expect((JSON.parse(payload) as { issues: unknown[] }).issues.length).toBeGreaterThanOrEqual(1);
    }
    const lastRuns = (await all('workflows')).map(({ lastRun }) => (lastRun as { status: string } | null)?.status);
    expect(lastRuns.filter((status) => status === 'SENT')).toHaveLength(2);
    const jobs = "SELECT FROM graphile_worker.jobs WHERE task_identifier IN ('workflow-run', 'webhook-delivery')";
    expect(await app.database.rows(jobs)).toEqual([]);
  });

  it('recognizes an issue that is found again', async () => {
    const issues = await all('issues');
    const known = issues.find(({ name }) => name === 'Login has no limit of attempts');
    const running = (await all('scans')).find(({ status }) => status === 'RUNNING');
    const { body } = await app.api.post(`/api/v1/scans/${String(running?.['id'])}/issues`, {
      headers,
      json: [
        {
          name: known?.['name'],
          severity: known?.['severity'],
          category: known?.['category'],
          assetId: known?.['assetId'],
          securityTestUid: known?.['securityTestUid'],
          targets: [{ targetUid: 'POST /sessions', apiRoute: { operation: 'POST', name: '/sessions' } }],
        },
      ],
    });
    expect(body).toEqual({ created: 0, seen: 1, issues: [{ id: known?.['id'], created: false }] });
  });

  it('has the admin as admin and the shopper as viewer', async () => {
    const tokenOf = async (username: string, password: string): Promise<string> => {
      const { body } = await app.api.post('/api/v1/auth/login', { json: { username, password } });
      return (body as { access_token: string }).access_token;
    };
    const roleOf = async (token: string): Promise<unknown> =>
      ((await app.api.get('/api/v1/organizations/current', { token })).body as { role: string }).role;
    expect(await roleOf(await tokenOf(admin.username, admin.password))).toBe('admin');
    expect(await roleOf(await tokenOf('demo', 'demo-shopper-1'))).toBe('viewer');
  });

  it('returns a key once, however many callers ask', async () => {
    expect(key).toMatch(/^ssk_/);
    const asked = Array.from({ length: 2 }, () => upkeep.openOrganization());
    expect(await Promise.all(asked)).toEqual([undefined, undefined]);
  });

  it('is loaded once', async () => {
    await demo.loadOnce();
    expect(await app.database.rows('SELECT FROM organizations')).toHaveLength(2);
  });
});

describe('The demo of the scanning wing, turned off', () => {
  it.each([
    ['DEMO_DATA=false', { DEMO_DATA: 'false' }],
    [
      'production',
      {
        NODE_ENV: 'production',
        ACCESS_POLICY: 'hardened',
        JWT_SECRET: 'x'.repeat(32),
        ENCRYPTION_KEY: '0'.repeat(64),
      },
    ],
  ])('loads nothing and returns no key: %s', async (_, env) => {
    const other = await startTestApp({ env });
    try {
      await prepareData(other.nest, other.nest.get(Settings));
      expect(await other.nest.get(DemoUpkeepService).openOrganization()).toBeUndefined();
      expect(await other.database.rows('SELECT FROM organizations')).toHaveLength(0);
    } finally {
      await other.close();
    }
  });
});
