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

/** How many of 12 wrong passwords for one account are tried, each said to come from another address. */
async function guessesTried(service: TestApp, addressOf: (guess: number) => string): Promise<number> {
  const { username } = await signUp(service);
  let tried = 0;
  for (let guess = 0; guess < 12; guess++) {
    const headers = { 'x-forwarded-for': addressOf(guess) };
    const json = { username, password: 'wrong-horse-7' };
    const { status } = await service.api.post('/api/v1/auth/login', { json, headers });
    if (status === 401) tried++;
  }
  return tried;
}

describe('Without TRUST_PROXY', () => {
  it('no address in a header counts', async () => {
    expect(await guessesTried(behindNothing, (guess) => `203.0.113.${guess}`)).toBe(5);
  });
});

describe('Behind a trusted proxy', () => {
  it('the address that it saw counts, not what the caller wrote before it', async () => {
    expect(await guessesTried(behindProxy, (guess) => `203.0.113.${guess}, 198.51.100.7`)).toBe(5);
  });

  it.each([
    ['addresses of one /64 are one', (guess: number) => `2001:db8:1:2:${guess}::1`],
    ['forwarded loopback addresses are one, and not of this machine', (guess: number) => `127.0.0.${guess + 1}`],
    ['what is no address is one', (guess: number) => `nobody-${guess}`],
  ])('%s', async (_, addressOf) => {
    expect(await guessesTried(behindProxy, addressOf)).toBe(5);
  });

  it('other addresses are others', async () => {
    expect(await guessesTried(behindProxy, (guess) => `198.51.100.${100 + guess}`)).toBe(12);
  });
});
