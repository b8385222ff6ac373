import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ApiClient } from '../../support/api-client.js';
import { HeldTransaction } from '../../support/held-transaction.js';
import { type InsertedOrganization, insertOrganization } from '../../support/organizations.js';
import { sarifLog, sarifResult } from '../../support/report-imports.js';
import { resourceBodies } from '../../support/scanning.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const limit = 2_000;
let app: TestApp;
let nodes: ApiClient[];
let acme: InsertedOrganization;
beforeAll(async () => {
  app = await startTestApp({
    env: { QUOTAS: `profiles=${limit},assets=${limit}` },
  });
  nodes = [app.api, (await app.anotherNode()).api];
});
afterAll(() => app.close());
beforeEach(async () => {
  acme = await insertOrganization(app);
});

function make(resource: 'assets' | 'profiles', name: string, api = app.api) {
  return api.post(`/api/v1/${resource}`, { token: acme.admin.token, json: resourceBodies[resource](name) });
}

describe('Quotas of large stocks', () => {
  it('hold against twelve concurrent requests on two nodes', async () => {
    await app.database.rows(
      `INSERT INTO profiles (id, organization_id, name, scanner_kind, type)
       SELECT gen_random_uuid(), $1, 'profile ' || n, 'FRONTEND_DAST', 'REST' FROM generate_series(1, $2::integer) AS n`,
      [acme.id, limit - 3],
    );
    const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => make('profiles', `new ${n}`, nodes[n % 2])));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(9);
  });

  it('do not block others during an import that makes an asset and a profile', async () => {
    const held = await HeldTransaction.open(app.database, 'LOCK TABLE issues IN EXCLUSIVE MODE');
    const json = sarifLog([sarifResult('R1')]);
    const imported = app.api.post('/api/v1/scans/import', { token: acme.member.token, json });
    await held.blocks(1);
    const made = Promise.all([make('assets', 'host.example.com'), make('profiles', 'mine', nodes[1])]);
    try {
      expect((await made).map(({ status }) => status)).toEqual([201, 201]);
    } finally {
      await held.commit();
    }
    expect((await imported).status).toBe(201);
  });
});
