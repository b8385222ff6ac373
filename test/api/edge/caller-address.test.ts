import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { signUp } from '../../support/accounts.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let behindNothing: TestApp;
let behindProxy: TestApp;
beforeAll(async () => {
  behindNothing = await startTestApp();
  behindProxy = await startTestApp({ env: { TRUST_PROXY: 'loopback' } });
});
afterAll(async () => {
  await behindNothing.close();
  await behindProxy.close();
});

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
