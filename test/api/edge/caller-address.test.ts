import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { signUp } from '../../support/accounts.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let behindNothing: TestApp;
let behindProxy: TestApp;
let inProduction: TestApp;
beforeAll(async () => {
  behindNothing = await startTestApp();
  behindProxy = await startTestApp({ env: { TRUST_PROXY: 'loopback' } });
  inProduction = await startTestApp({ env: { ...production, METRICS_TOKEN: metricsToken } });
});
afterAll(async () => {
  await behindNothing.close();
  await behindProxy.close();
  await inProduction.close();
});

const metricsToken = 'a-token-of-the-operator';
const production = {
  NODE_ENV: 'production',
  ACCESS_POLICY: 'contract',
  JWT_SECRET: 'j'.repeat(32),
  ENCRYPTION_KEY: 'e'.repeat(64),
};

/** How many of 60 accounts, tried once each, have their password checked: one address may fail 50 times, and a few more at once. */
async function accountsTried(service: TestApp, headers: Record<string, string> = {}): Promise<number> {
  const tries = Array.from({ length: 60 }, (_, nth) => {
    const json = { username: `nobody-${nth}`, password: 'wrong-horse-7' };
    return service.api.post('/api/v1/auth/login', { json, headers });
  });
  return (await Promise.all(tries)).filter(({ status }) => status === 401).length;
}

/** How many of 12 wrong passwords for one account are checked, each claiming to come from another address. */
async function attemptsTaken(service: TestApp, addressOf: (attempt: number) => string): Promise<number> {
  const { username } = await signUp(service);
  let tried = 0;
  for (let attempt = 0; attempt < 12; attempt++) {
    const headers = { 'x-forwarded-for': addressOf(attempt) };
    const json = { username, password: 'wrong-horse-7' };
    const { status } = await service.api.post('/api/v1/auth/login', { json, headers });
    if (status === 401) tried++;
  }
  return tried;
}

describe('Without TRUST_PROXY', () => {
  it('ignores addresses in headers', async () => {
    expect(await attemptsTaken(behindNothing, (attempt) => `203.0.113.${attempt}`)).toBe(5);
  });
});

describe('Behind a trusted proxy', () => {
  it('counts the address that the proxy saw, not those that the caller put before it', async () => {
    expect(await attemptsTaken(behindProxy, (attempt) => `203.0.113.${attempt}, 198.51.100.7`)).toBe(5);
  });

  it.each([
    ['addresses of one /64 are one', (attempt: number) => `2001:db8:1:2:${attempt}::1`],
    ['forwarded loopback addresses are one, and not of this machine', (attempt: number) => `127.0.0.${attempt + 1}`],
    ['what is no address is one', (attempt: number) => `nobody-${attempt}`],
  ])('%s', async (_, addressOf) => {
    expect(await attemptsTaken(behindProxy, addressOf)).toBe(5);
  });

  it('counts other addresses apart', async () => {
    expect(await attemptsTaken(behindProxy, (attempt) => `198.51.100.${100 + attempt}`)).toBe(12);
  });
});

describe('A trusted proxy that sends no X-Forwarded-For', () => {
  it('makes nobody this machine: callers are one, limited, and see no metrics', async () => {
    const { api } = behindProxy;
    expect((await api.get('/metrics')).status).toBe(403);
    // Nor does the other header for it, which is not read.
    expect((await api.get('/metrics', { headers: { forwarded: 'for=127.0.0.1' } })).status).toBe(403);
    expect(await accountsTried(behindProxy)).toBeLessThan(60);
    expect(await accountsTried(behindProxy, { forwarded: 'for=203.0.113.9' })).toBe(0);
    expect(await accountsTried(behindProxy, { 'x-forwarded-for': '203.0.113.9' })).toBeGreaterThanOrEqual(50);
  });
});

describe('In production', () => {
  it('opens the metrics by their token alone, to this machine too', async () => {
    expect((await inProduction.api.get('/metrics')).status).toBe(401);
    expect((await inProduction.api.get('/metrics', { token: metricsToken })).status).toBe(200);
  });

  it('limits what comes from this machine, where a proxy may be that nobody named', async () => {
    expect(await accountsTried(inProduction)).toBeLessThan(60);
  });
});

describe('In development', () => {
  it('spares this machine', async () => {
    expect((await behindNothing.api.get('/metrics')).status).toBe(200);
    expect(await accountsTried(behindNothing)).toBe(60);
  });
});
