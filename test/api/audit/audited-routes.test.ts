import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { insertAdmin } from '../../support/accounts.js';
import { auditedBy } from '../../support/audit.js';
import { auditedRoutes } from '../../support/audited-routes.js';
import { OidcServer } from '../../support/oidc-server.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { insertOrganization } from '../../support/organizations.js';
import { traces } from './canary.js';
import { keyCalls } from './key-calls.js';
import { loginCalls } from './login-calls.js';
import { memberCalls } from './member-calls.js';
import { organizationCalls } from './organization-calls.js';
import { providerCalls } from './provider-calls.js';
import { shopCalls } from './shop-calls.js';
import type { RouteCalls } from './route-calls.js';

let app: TestApp;
let provider: OidcServer;
let calls: RouteCalls;
/** Secrets that the service itself made for the calls. */
const made: string[] = [];
beforeAll(async () => {
  provider = await OidcServer.start();
  app = await startTestApp({ env: provider.env });
  provider.register(app.baseUrl);
  calls = {
    ...shopCalls(app, await insertAdmin(app)),
    ...organizationCalls(app, await insertOrganization(app)),
    ...keyCalls(app, await insertOrganization(app), made),
    ...memberCalls(app, await insertOrganization(app)),
    ...loginCalls(app, made),
    ...providerCalls({ app, provider }),
  };
});
afterAll(async () => {
  await app.close();
  await provider.close();
});

describe('The audited routes', () => {
  it.each(Object.entries(auditedRoutes))('%s records %j', async (route, actions) => {
    const prepared = await calls[route]?.();
    const answers: number[] = [];
    const entries = await auditedBy(app, async () => answers.push((await prepared?.())?.status ?? 0));
    expect(answers[0]).toBeGreaterThanOrEqual(200);
    expect(answers[0]).toBeLessThan(300);
    expect(entries.map(({ action }) => action)).toEqual(actions);
    for (const { actor_kind, actor_id } of entries)
      expect([actor_kind, actor_id]).toEqual(['user', expect.any(String)]);
  });

  it('are exactly the listed ones', () => {
    expect(Object.keys(calls).sort()).toEqual(Object.keys(auditedRoutes).sort());
  });

  it('leave no secret or personal data in the log', async () => {
    const rows = await app.database.rows<{ row: string }>('SELECT audit_entries::text AS row FROM audit_entries');
    expect(rows.length).toBeGreaterThanOrEqual(Object.keys(auditedRoutes).length);
    expect(made.length).toBeGreaterThan(0);
    const secrets = [...traces, ...made.map((secret) => secret.toLowerCase())];
    const found = (row: string) => secrets.some((secret) => row.toLowerCase().includes(secret));
    expect(rows.filter(({ row }) => found(row))).toEqual([]);
  });
});
