import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { nobody } from '../../../src/platform/audit/audit-log.js';
import { securityEventNames } from '../../../src/platform/audit/security-events.js';
import { insertAdmin, insertUser } from '../../support/accounts.js';
import { ApiClient, type ApiRequest } from '../../support/api-client.js';
import { auditedBy } from '../../support/audit.js';
import { auditedRoutes } from '../../support/audited-routes.js';
import { OidcServer } from '../../support/oidc-server.js';
import { insertOrganization } from '../../support/organizations.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { traces } from './canary.js';
import { failureCalls } from './failure-calls.js';
import { keyCalls } from './key-calls.js';
import { loginCalls } from './login-calls.js';
import { memberCalls } from './member-calls.js';
import { providerCalls } from './provider-calls.js';
import type { RouteCalls } from './route-calls.js';
import { shopCalls } from './shop-calls.js';

const address = '203.0.113.7';
const from = {
  'x-forwarded-for': address,
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0',
};

/** Sends each request from the same place. */
class PlacedClient extends ApiClient {
  override send<T>(method: string, path: string, request: ApiRequest = {}) {
    return super.send<T>(method, path, { ...request, headers: { ...from, ...request.headers } });
  }
}

interface Line {
  stream?: string;
  event: string;
  account: string | null;
  address: string;
  device: string;
  reqId: string;
  audited: boolean;
}

let provider: OidcServer;
let app: TestApp;
let routes: RouteCalls;
let failures: ReturnType<typeof failureCalls>;
const lines: Line[] = [];
const texts: string[] = [];
/** Secrets that the service itself made for the calls. */
const made: string[] = [];

beforeAll(async () => {
  provider = await OidcServer.start();
  const started = await startTestApp({
    env: { ...provider.env, TRUST_PROXY: 'loopback', LOG_LEVEL: 'warn' },
    log: (text) => {
      texts.push(text);
      lines.push(JSON.parse(text) as Line);
    },
  });
  provider.register(started.baseUrl);
  app = Object.assign(started, { api: new PlacedClient(started.baseUrl, () => undefined) });
  routes = {
    ...shopCalls(app, await insertAdmin(app)),
    ...keyCalls(app, await insertOrganization(app), made),
    ...memberCalls(app, await insertOrganization(app)),
    ...loginCalls(app, made),
    ...providerCalls({ app, provider }),
  };
  failures = failureCalls(app, made);
});
afterAll(async () => {
  await app.close();
  await provider.close();
});

/** Causes an event over HTTP; returns the account that it is about, where the cause knows it. */
async function cause(event: (typeof securityEventNames)[number]): Promise<string | null> {
  const failure = failures[event];
  if (failure) return failure();
  const route = Object.keys(auditedRoutes).find((one) => auditedRoutes[one]?.includes(event) && routes[one]);
  const call = await routes[route ?? '']?.();
  expect((await call?.())?.status).toBeLessThan(300);
  return null;
}

describe('A security event', () => {
  it.each(securityEventNames)(
    '%s is in the audit log and in the log, with account, address and device',
    async (event) => {
      let account: string | null = null;
      const entries = await auditedBy(app, async () => {
        account = await cause(event);
      });
      const entry = entries.findLast(({ action }) => action === event);
      expect(entry).toMatchObject({ address, device: 'Firefox on Linux', subject_id: account ?? expect.any(String) });
      const about = entry?.subject_type === 'api_key' ? entry.actor_id : entry?.subject_id;
      const line = lines.filter(({ reqId }) => reqId === entry?.request_id).find((one) => one.event === event);
      expect(line).toMatchObject({
        stream: 'security',
        account: about,
        address,
        device: 'Firefox on Linux',
        audited: true,
      });
    },
  );

  it('of nobody, a login by a name that no account has, is recorded alike, without the name', async () => {
    const json = { username: 'a-password-by-mistake', password: 'correct horse 7' };
    const entries = await auditedBy(app, () => app.api.post('/api/v1/auth/login', { json }));
    expect(entries).toMatchObject([{ action: 'user.login_failed', subject_id: nobody, address }]);
    expect(JSON.stringify([entries, texts])).not.toContain('a-password-by-mistake');
  });

  it('that anybody can cause fills the audit log only so far, and is in the log each time', async () => {
    const { id, token, username } = await insertUser(app);
    const move = (turn: number) =>
      app.api.put('/api/v1/users/me/profile', { token, json: { email: `${username}.${turn}@example.com` } });
    const entries = await auditedBy(app, async () => {
      for (let turn = 0; turn < 110; turn++) await move(turn);
    });
    expect(entries).toHaveLength(100);
    const mine = lines.filter(({ event, account }) => event === 'user.email_changed' && account === id);
    expect(mine).toHaveLength(110);
    expect(mine.filter(({ audited }) => audited)).toHaveLength(100);
  });

  it('holds no secret or personal data', () => {
    expect(texts.length).toBeGreaterThan(securityEventNames.length);
    expect(made.length).toBeGreaterThan(0);
    const secrets = [...traces, ...made.map((secret) => secret.toLowerCase())];
    expect(texts.filter((text) => secrets.some((secret) => text.toLowerCase().includes(secret)))).toEqual([]);
  });
});
