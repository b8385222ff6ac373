import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { EnvironmentReader } from '../../../src/config/environment-reader.js';
import { readQuotas } from '../../../src/config/quotas.js';
import type { ApiClient } from '../../support/api-client.js';
import { newEvent } from '../../support/events.js';
import { HeldTransaction } from '../../support/held-transaction.js';
import { insertOrganization } from '../../support/organizations.js';
import { sarifLog, sarifResult } from '../../support/report-imports.js';
import { Scanning } from '../../support/scanning.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let nodes: ApiClient[];
let acme: Scanning;
beforeAll(async () => {
  app = await startTestApp({ env: { QUOTAS: 'events=10,assets=2,imports=2,open-runs=3' } });
  nodes = [app.api, (await app.anotherNode()).api];
});
afterAll(() => app.close());
beforeEach(async () => {
  acme = new Scanning(app, await insertOrganization(app));
});

async function counts(answers: Promise<{ status: number }>[]): Promise<Record<number, number>> {
  const all: Record<number, number> = {};
  for (const { status } of await Promise.all(answers)) all[status] = (all[status] ?? 0) + 1;
  return all;
}

describe('Rate quotas', () => {
  it('are all tested: here, in hashing.test.ts, coupon-attempts.test.ts, event-searches.test.ts, words-of-a-day.test.ts, account-links, account-export, orders, organizations and oidc', () => {
    const all = Object.entries(readQuotas(new EnvironmentReader({})));
    const mails = ['accountMails', 'forgottenPasswords', 'invitationMails', 'invitations', 'orderMails'];
    const others = [
      'orders',
      'reviews',
      'testimonials',
      'registrations',
      'couponGuesses',
      'searches',
      'events',
      'imports',
      'openRuns',
      'exports',
      'providerSignIns',
      ...mails,
    ];
    const rates = all.filter(([name, quota]) => quota.windowSeconds ?? quota.drainsInSeconds ?? others.includes(name));
    expect(rates.map(([name]) => name).sort()).toEqual(others.sort());
  });
});

describe('POST /api/v1/scans/{id}/events, beyond the events of a day', () => {
  function append(scanId: string, events: object[], api = app.api) {
    return api.post(`/api/v1/scans/${scanId}/events`, { token: acme.token, json: events });
  }
  const stored = async (scanId: string) =>
    (await app.database.rows('SELECT FROM scan_events WHERE scan_id = $1', [scanId])).length;

  it('accepts ten of twenty concurrent events on two nodes, and says when it accepts more', async () => {
    const { id } = await acme.scan();
    const all = Array.from({ length: 20 }, (_, n) => append(id, [newEvent()], nodes[n % 2]));
    expect(await counts(all)).toEqual({ 201: 10, 429: 10 });
    expect(await stored(id)).toBe(10);
    const { status, body, headers } = await append(id, [newEvent()]);
    expect([status, headers.get('ratelimit-policy')]).toEqual([429, '"events";q=10;w=86400']);
    expect(body).toMatchObject({ code: 'rate_exceeded', detail: expect.stringContaining('(QUOTAS, events)') });
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(86_000);
  });

  it('accepts all of a request or nothing', async () => {
    const { id } = await acme.scan();
    expect((await append(id, Array(8).fill(newEvent()))).status).toBe(201);
    expect((await append(id, Array(3).fill(newEvent()))).status).toBe(429);
    expect(await stored(id)).toBe(8);
    expect((await append(id, Array(2).fill(newEvent()))).status).toBe(201);
  });

  it('does not count refused or existing events', async () => {
    const { id } = await acme.scan();
    const same = [newEvent({ id: '01920000-0000-7000-8000-000000000001' })];
    for (let time = 0; time < 5; time++) expect((await append(id, same)).status).toBe(201);
    for (let time = 0; time < 5; time++) expect((await append(id, [newEvent(), {}])).status).toBe(422);
    expect((await append(id, Array(9).fill(newEvent()))).status).toBe(201);
    expect((await append(id, [newEvent()])).status).toBe(429);
  });

  it('begins anew after a day', async () => {
    const { id } = await acme.scan();
    expect((await append(id, Array(10).fill(newEvent()))).status).toBe(201);
    await app.database.rows(`UPDATE rate_counters SET window_ends_at = now() - interval '1 second'`);
    expect((await append(id, Array(10).fill(newEvent()))).status).toBe(201);
  });
});

describe('POST /api/v1/scans/import, beyond the events of a day', () => {
  // The events of the findings, of the start and of the end.
  const send = (findings: number, { token } = acme) => {
    const json = sarifLog(Array.from({ length: findings }, (_, n) => sarifResult(`R${n}`)));
    return app.api.post<{ events?: number; code?: string }>('/api/v1/scans/import', { token, json });
  };
  const append = (scanId: string, count: number) =>
    app.api.post(`/api/v1/scans/${scanId}/events`, { token: acme.token, json: Array(count).fill(newEvent()) });

  it('shares the limit with appends, is accepted whole or not at all, and counts nothing when refused', async () => {
    const { id } = await acme.scan();
    expect((await append(id, 3)).status).toBe(201);
    const { status, body, headers } = await send(6);
    expect([status, headers.get('ratelimit-policy')]).toEqual([429, '"events";q=10;w=86400']);
    expect(body).toMatchObject({ code: 'rate_exceeded', detail: expect.stringContaining('(QUOTAS, events)') });
    for (const table of ['assets', 'issues']) {
      const sql = `SELECT FROM ${table} WHERE organization_id = $1`;
      expect(await app.database.rows(sql, [acme.organization.id])).toHaveLength(0);
    }
    expect(await send(5)).toMatchObject({ status: 201, body: { events: 7 } });
    expect((await append(id, 1)).status).toBe(429);
    expect((await send(1)).status).toBe(429);
  });

  it('accepts a report with more results than are left when few enough are findings', async () => {
    const kept = Array.from({ length: 8 }, (_, n) => sarifResult(`R${n}`, 'src/a.ts', { kind: 'pass' }));
    const json = sarifLog([...kept, sarifResult('R'), sarifResult('S')]);
    const answer = await app.api.post('/api/v1/scans/import', { token: acme.token, json });
    expect(answer).toMatchObject({ status: 201, body: { findings: 10, skippedCount: 8, events: 4 } });
  });

  it('gives back what a failed import took', async () => {
    // More assets than the organization may have, which is found while writing.
    const found = Array.from({ length: 8 }, (_, n) => sarifResult(`R${n}`, `https://host-${n}.example.com/`));
    const json = sarifLog(found, { versionControlProvenance: undefined });
    const { status, body } = await app.api.post('/api/v1/scans/import', { token: acme.token, json });
    expect([status, body]).toMatchObject([403, { code: 'quota_exceeded' }]);
    expect(await send(8)).toMatchObject({ status: 201, body: { events: 10 } });
  });

  it('accepts no more than fit of several concurrent ones on two nodes', async () => {
    const json = sarifLog([sarifResult('R1'), sarifResult('R2')]);
    const all = nodes.flatMap((api) => [1, 2].map(() => api.post('/api/v1/scans/import', { token: acme.token, json })));
    expect(await counts(all)).toEqual({ 201: 2, 429: 2 });
  });
});

describe('POST /api/v1/scans/import, many at once', () => {
  const results = [
    {
      ruleId: 'r',
      message: { text: 'x' },
      locations: [{ physicalLocation: { artifactLocation: { uri: 'https://shop.example.com/' } } }],
    },
  ];
  const json = { version: '2.1.0', runs: [{ tool: { driver: { name: 'Scanner' } }, results }] };
  const send = ({ token }: Scanning) => app.api.post('/api/v1/scans/import', { token, json });

  it("accepts two of an organization's six, responds with 429 to the others, and accepts more once those have ended", async () => {
    const held = await HeldTransaction.open(app.database, 'LOCK TABLE scans IN EXCLUSIVE MODE');
    const answers = Array.from({ length: 6 }, () => send(acme));
    await held.blocks(2);
    const other = send(new Scanning(app, await insertOrganization(app)));
    await held.commit();
    const all = await Promise.all(answers);
    expect(all.filter(({ status }) => status === 201)).toHaveLength(2);
    const refused = all.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(4);
    expect(refused[0]?.body).toMatchObject({
      code: 'rate_exceeded',
      detail: expect.stringContaining('The limit of 2 imports of one organization at once'),
    });
    expect(refused[0]?.headers.get('retry-after')).toBe('10');
    expect((await other).status).toBe(201);
    expect((await send(acme)).status).toBe(201);
  });
});

describe('POST /api/v1/workflows/{id}/run, while runs wait', () => {
  it('accepts three of ten concurrent ones on two nodes, and more once some are sent', async () => {
    const { token } = acme.organization.admin;
    const action = { type: 'EXPORT', integrationKind: 'WEBHOOK', parameters: { url: 'https://8.8.8.8/hook' } };
    const workflow = { name: 'by hand', trigger: { type: 'MANUAL' }, actions: [action] };
    const { body } = await app.api.post<{ id: string }>('/api/v1/workflows', { token, json: workflow });
    const run = (api = app.api) => api.post(`/api/v1/workflows/${body.id}/run`, { token });
    expect(await counts(Array.from({ length: 10 }, (_, n) => run(nodes[n % 2])))).toEqual({ 202: 3, 429: 7 });
    const { headers } = await run();
    expect(headers.get('retry-after')).toBe('30');
    await app.database.rows(`UPDATE workflow_runs SET status = 'SENT' WHERE organization_id = $1`, [
      acme.organization.id,
    ]);
    expect((await run()).status).toBe(202);
  });
});
