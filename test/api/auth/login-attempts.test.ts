import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Account, newUsername, signUp } from '../../support/accounts.js';
import type { ApiClient } from '../../support/api-client.js';
import { forwardedFor, statusesOf } from '../../support/auth.js';
import { enableTwoFactor } from '../../support/one-time-codes.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let otherNode: ApiClient;
let maria: Account;
beforeAll(async () => {
  app = await startTestApp({ env: { TRUST_PROXY: 'loopback' } });
  otherNode = (await app.anotherNode()).api;
  maria = await signUp(app);
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.database.rows('DELETE FROM guess_counters');
});

const home = '198.51.100.7';
const elsewhere = '203.0.113.9';

function login(username: string, password: string, address: string, api = app.api) {
  const json = { username, password };
  return api.post('/api/v1/auth/login', { json, headers: forwardedFor(address) });
}

async function failAt(times: number, address = home, username = maria.username): Promise<void> {
  for (let time = 0; time < times; time++) {
    expect((await login(username, `wrong ${time}`, address)).status).toBe(401);
  }
}

function failAtMany(count: number, address: string): Promise<number[]> {
  return statusesOf(Array.from({ length: count }, () => login(newUsername(), 'wrong', address)));
}

/** Moves the counters into the past instead of waiting. */
async function wait(interval: string): Promise<void> {
  await app.database.rows(
    `UPDATE guess_counters SET updated_at = updated_at - $1::interval, blocked_until = blocked_until - $1::interval`,
    [interval],
  );
}

async function retryAfter(address = home): Promise<number> {
  const { status, headers } = await login(maria.username, 'wrong', address);
  expect(status).toBe(429);
  return Number(headers.get('retry-after'));
}

describe('Wrong passwords', () => {
  it('get 429 with Retry-After from the sixth attempt on, and so does the right password', async () => {
    await failAt(5);
    const { status, body, headers } = await login(maria.username, maria.password, home);
    expect(status).toBe(429);
    expect(body).toMatchObject({ code: 'too_many_attempts', detail: expect.stringContaining('try again in') });
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(20);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(30);
  });

  it('do not lock the owner out at another address', async () => {
    await failAt(5, elsewhere);
    expect(await login(maria.username, maria.password, elsewhere)).toMatchObject({ status: 429 });
    expect(await login(maria.username, maria.password, home)).toMatchObject({ status: 200 });
  });

  it('are checked five times out of forty concurrent attempts on two nodes', async () => {
    const attempts = Array.from({ length: 40 }, (_, index) =>
      login(maria.username, `wrong ${index}`, home, index % 2 === 0 ? app.api : otherNode),
    );
    expect(await statusesOf(attempts)).toEqual([...Array<number>(5).fill(401), ...Array<number>(35).fill(429)]);
  });

  it('are counted for an unknown username too', async () => {
    const nobody = newUsername();
    await failAt(5, home, nobody);
    expect(await login(nobody, 'wrong', home)).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } });
  });

  it('are counted regardless of the case of the username', async () => {
    await failAt(3);
    await failAt(2, home, maria.username.toUpperCase());
    expect((await login(maria.username, 'wrong', home)).status).toBe(429);
  });

  it('allow one more attempt after the block, which grows to fifteen minutes', async () => {
    await failAt(5);
    const waits = [await retryAfter()];
    for (let round = 0; round < 7; round++) {
      await wait('15 minutes');
      await failAt(1);
      waits.push(await retryAfter());
    }
    [30, 60, 120, 240, 480, 900, 900, 900].forEach((seconds, round) => {
      expect(waits[round]).toBeLessThanOrEqual(seconds);
      expect(waits[round]).toBeGreaterThan(seconds - 10);
    });
  });

  it('do not prolong a block', async () => {
    await failAt(5);
    await wait('20 seconds');
    for (let round = 0; round < 5; round++) expect(await retryAfter()).toBeLessThanOrEqual(10);
  });

  it('are cleared by the right password', async () => {
    await failAt(4);
    expect((await login(maria.username, maria.password, home)).status).toBe(200);
    await failAt(4);
    expect((await login(maria.username, maria.password, home)).status).toBe(200);
  });

  it('are not cleared by the right password while a code is due', async () => {
    const account = await signUp(app);
    await enableTwoFactor(app, account.token);
    await failAt(4, home, account.username);
    for (let round = 0; round < 3; round++) {
      expect(await login(account.username, account.password, home)).toMatchObject({ body: { requires_totp: true } });
    }
    await failAt(1, home, account.username);
    expect((await login(account.username, account.password, home)).status).toBe(429);
  });

  it('are cleared after a quiet hour', async () => {
    await failAt(5);
    await wait('61 minutes');
    await failAt(4);
    expect((await login(maria.username, maria.password, home)).status).toBe(200);
  });

  it('leave rows that later failures delete', async () => {
    await app.database.rows(
      `INSERT INTO guess_counters (key, failures, updated_at)
       SELECT 'old:' || n, 1, now() - interval '25 hours' FROM generate_series(1, 30) AS n`,
    );
    await failAt(2);
    expect(await app.database.rows(`SELECT FROM guess_counters WHERE key LIKE 'old:%'`)).toHaveLength(0);
  });

  it('leave no readable username', async () => {
    await failAt(1);
    const rows = await app.database.rows('SELECT * FROM guess_counters');
    expect(rows).not.toHaveLength(0);
    expect(JSON.stringify(rows)).not.toContain(maria.username);
  });
});

describe('Wrong passwords from one address', () => {
  it('block it for all accounts after fifty', async () => {
    expect(new Set(await failAtMany(50, elsewhere))).toEqual(new Set([401]));
    expect((await login(maria.username, maria.password, elsewhere)).status).toBe(429);
    expect((await login(maria.username, maria.password, home)).status).toBe(200);
  });

  it('are counted for the whole /64 in IPv6', async () => {
    await failAt(3, '2001:db8:1:2::1');
    await failAt(2, '2001:db8:1:2:ffff::2');
    expect((await login(maria.username, 'wrong', '2001:db8:1:2::3')).status).toBe(429);
    expect((await login(maria.username, 'wrong', '2001:db8:1:3::1')).status).toBe(401);
  });
});
