import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Account, newUsername, signUp } from '../../support/accounts.js';
import { statusesOf } from '../../support/auth.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let maria: Account;
beforeAll(async () => {
  app = await startTestApp({ env: { TRUST_PROXY: '1', QUOTAS: 'registrations=3' } });
  maria = await signUp(app);
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.database.rows('DELETE FROM rate_counters');
});

function register(address?: string, api = app.api) {
  const username = newUsername();
  const json = { username, email: `${username}@example.com`, password: 'correct horse 7' };
  return api.post('/api/v1/auth/register', { json, headers: address ? { 'x-forwarded-for': address } : {} });
}

describe('POST /api/v1/auth/login while a hundred register', () => {
  it('does not wait for all of them', async () => {
    let registered = 0;
    const registrations = Array.from({ length: 100 }, (_, at) =>
      register(`192.0.2.${at}`).then(({ status }) => (registered++, status)),
    );
    await Promise.race(registrations);
    const json = { username: maria.username, password: maria.password };
    const { status } = await app.api.post('/api/v1/auth/login', { json });
    const before = registered;
    expect(status).toBe(200);
    // In order of arrival, nearly all of the hundred would come first.
    expect(before).toBeLessThan(90);
    expect(await Promise.all(registrations)).toEqual(Array(100).fill(201));
  });
});

describe('POST /api/v1/auth/register, again and again', () => {
  it('responds with 201 to three of ten concurrent requests from one address on two nodes, and with 429 and Retry-After to the rest', async () => {
    const { api } = await app.anotherNode();
    const all = Array.from({ length: 10 }, (_, index) => register('198.51.100.7', index % 2 ? api : app.api));
    expect(await statusesOf(all)).toEqual([201, 201, 201, 429, 429, 429, 429, 429, 429, 429]);
    const { body, headers } = await register('198.51.100.7');
    expect(body).toMatchObject({
      code: 'rate_exceeded',
      detail: expect.stringContaining('The limit of 3 registrations from one address in an hour is reached'),
    });
    expect(headers.get('ratelimit-policy')).toBe('"registrations";q=3;w=3600');
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(3_500);
    expect(await register('203.0.113.9')).toMatchObject({ status: 201 });
  });

  it('counts the /64 of an IPv6 subscriber as one address', async () => {
    const addresses = [1, 2, 3, 4].map((host) => `2001:db8:1:2::${host}`);
    expect(await statusesOf(addresses.map((address) => register(address)))).toEqual([201, 201, 201, 429]);
    expect(await register('2001:db8:1:3::1')).toMatchObject({ status: 201 });
  });

  it('counts refused registrations too, because each costs a hash', async () => {
    const { username } = maria;
    const json = { username, email: `${newUsername()}@example.com`, password: 'correct horse 7' };
    const headers = { 'x-forwarded-for': '198.51.100.7' };
    const taken = Array.from({ length: 5 }, () => app.api.post('/api/v1/auth/register', { json, headers }));
    expect(await statusesOf(taken)).toEqual([409, 409, 409, 429, 429]);
  });

  it('starts anew after an hour and keeps no older counter', async () => {
    for (const address of ['198.51.100.7', '203.0.113.9']) {
      expect(await statusesOf([1, 2, 3, 4].map(() => register(address)))).toEqual([201, 201, 201, 429]);
    }
    await app.database.rows(`UPDATE rate_counters SET window_ends_at = window_ends_at - interval '1 hour'`);
    expect(await register('198.51.100.7')).toMatchObject({ status: 201 });
    const counters = await app.database.rows('SELECT key, used FROM rate_counters');
    expect(counters).toEqual([{ key: 'registrations:198.51.100.7', used: '1' }]);
  });
});
