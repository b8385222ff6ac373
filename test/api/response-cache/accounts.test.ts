import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type QueryConfig } from 'pg';
import { AccessTokens } from '../../../src/platform/auth/access-tokens.js';
import { type Account, insertAdmin, type InsertedUser, signUp } from '../../support/accounts.js';
import { statementName } from '../../../src/database/database.js';
import type { ApiClient } from '../../support/api-client.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

/** By when another node knows of every change, even if a notice was lost. */
const heardBy = 2_000;
const password = 'another horse 8';

let app: TestApp;
let other: ApiClient;
let admin: InsertedUser;
let user: Account;
beforeAll(async () => {
  app = await startTestApp();
  other = (await app.anotherNode()).api;
  admin = await insertAdmin(app);
});
afterAll(() => app.close());
beforeEach(async () => {
  user = await signUp(app);
});

async function statusOf(api: ApiClient, token: string): Promise<number> {
  return (await api.get('/api/v1/auth/me', { token })).status;
}

async function changePassword(): Promise<string> {
  const json = { current_password: user.password, new_password: password };
  const { body } = await app.api.post<{ access_token: string }>('/api/v1/auth/password', { token: user.token, json });
  return body.access_token;
}

/** The number of token lookups that `work` takes. */
async function looksOf(work: () => Promise<unknown>): Promise<number> {
  const query = jest.spyOn(Client.prototype, 'query');
  try {
    await work();
    const sent: (string | QueryConfig)[] = query.mock.calls.map(([first]) => first);
    // Behind a pooler, statements have no names.
    const nameOf = (one: string | QueryConfig) =>
      typeof one === 'string' ? undefined : (one.name ?? statementName(one.text));
    return sent.filter((one) => nameOf(one) === 'users.account-state').length;
  } finally {
    query.mockRestore();
  }
}

const ends: [string, () => Promise<unknown>][] = [
  ['a change of the password', () => changePassword()],
  [
    'another role',
    () => app.api.put(`/api/v1/admin/users/${user.id}`, { token: admin.token, json: { role: 'admin' } }),
  ],
  ["the account's deletion by its owner", () => app.api.delete('/api/v1/users/me/profile', { token: user.token })],
  [
    "the account's deletion by an admin",
    () => app.api.delete(`/api/v1/admin/users/${user.id}`, { token: admin.token }),
  ],
];

describe('The account behind a token', () => {
  it('is looked up once until something changes', async () => {
    jest.spyOn(performance, 'now').mockReturnValue(1_000);
    const looks = await looksOf(async () => {
      for (let n = 0; n < 5; n++) expect(await statusOf(app.api, user.token)).toBe(200);
    });
    jest.restoreAllMocks();
    expect(looks).toBe(1);
  });

  it.each(ends)('is refused after %s: at once on this node, within two seconds on another', async (_, end) => {
    expect([await statusOf(app.api, user.token), await statusOf(other, user.token)]).toEqual([200, 200]);
    await end();
    expect(await statusOf(app.api, user.token)).toBe(401);
    await sleep(heardBy);
    expect(await statusOf(other, user.token)).toBe(401);
  });

  it('is refused within two seconds of a change made around all nodes', async () => {
    expect(await statusOf(app.api, user.token)).toBe(200);
    await app.database.rows('UPDATE users SET token_version = token_version + 1 WHERE id = $1', [user.id]);
    await sleep(heardBy);
    expect(await statusOf(app.api, user.token)).toBe(401);
  });

  it('is let in at once by a token newer than the node knows, and no longer by an older one', async () => {
    expect(await statusOf(other, user.token)).toBe(200);
    await app.database.rows('UPDATE users SET token_version = token_version + 1 WHERE id = $1', [user.id]);
    const newer = await app.nest.get(AccessTokens).issue(user.id, 1);
    expect(await statusOf(other, newer)).toBe(200);
    expect(await statusOf(other, user.token)).toBe(401);
  });

  it('is not served to a token newer than itself', async () => {
    const tooNew = await app.nest.get(AccessTokens).issue(user.id, 7);
    expect(await statusOf(app.api, tooNew)).toBe(401);
    expect(await statusOf(app.api, user.token)).toBe(200);
  });

  it('loses its rights at once on the node that takes them away', async () => {
    await app.database.rows(`UPDATE users SET role = 'admin' WHERE id = $1`, [user.id]);
    const asAdmin = () => app.api.get('/api/v1/admin/stats', { token: user.token });
    expect((await asAdmin()).status).toBe(200);
    await app.api.put(`/api/v1/admin/users/${user.id}`, { token: admin.token, json: { role: 'user' } });
    expect((await asAdmin()).status).toBe(401);
  });
});
