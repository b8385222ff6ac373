import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Address } from '../../../src/store/addresses/addresses.dto.js';
import { insertAdmin, type InsertedUser, insertUser } from '../../support/accounts.js';
import type { ApiClient } from '../../support/api-client.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const path = '/api/v1/users/me/addresses';
const home = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  address: '12 St James Square',
  city: 'London',
  zip_code: 'SW1Y 4JH',
  country: 'United Kingdom',
};

let app: TestApp;
let nodes: ApiClient[];
let user: InsertedUser;
beforeAll(async () => {
  app = await startTestApp();
  nodes = [app.api, (await app.anotherNode()).api];
});
afterAll(() => app.close());
beforeEach(async () => {
  user = await insertUser(app);
});

const nodeOf = (n: number): ApiClient => nodes[n % nodes.length] ?? app.api;
const add = (choices: object = {}, api = app.api) =>
  api.post<Address & { code?: string }>(path, { token: user.token, json: { ...home, ...choices } });
const list = async () => (await app.api.get<Address[]>(path, { token: user.token })).body;
const defaults = async () => (await list()).filter(({ is_default }) => is_default).map(({ id }) => id);

describe("A customer's addresses", () => {
  it('are added, the first one as the default', async () => {
    const { status, body } = await add({ phone: ' ' });
    expect(status).toBe(201);
    const stored = { ...home, id: expect.any(String), phone: null, is_default: true, created_at: expect.any(String) };
    expect(body).toEqual(stored);
    const { body: second } = await add({ city: 'Ockham' });
    expect(second.is_default).toBe(false);
    expect((await list()).map(({ city }) => city)).toEqual(['London', 'Ockham']);
  });

  it('have one default, which another one takes the place of', async () => {
    const { body: first } = await add();
    const { body: second } = await add({ is_default: true });
    expect(await defaults()).toEqual([second.id]);
    const { body } = await app.api.put<Address>(`${path}/${first.id}`, {
      token: user.token,
      json: { is_default: true },
    });
    expect(body.is_default).toBe(true);
    expect(await defaults()).toEqual([first.id]);
    await app.api.put(`${path}/${first.id}`, { token: user.token, json: { is_default: false } });
    expect(await defaults()).toEqual([first.id]);
  });

  it('change by what is sent alone', async () => {
    const { body } = await add({ phone: '1' });
    const change = (json: object) => app.api.put<Address>(`${path}/${body.id}`, { token: user.token, json });
    expect((await change({ city: 'Ockham', zip_code: null })).body).toEqual({ ...body, city: 'Ockham' });
    expect((await change({ phone: null })).body.phone).toBeNull();
  });

  it('pass the default on to the newest of the others when it is removed', async () => {
    const { body: first } = await add();
    await add({ city: 'Older' });
    const { body: newest } = await add({ city: 'Newest' });
    const { status } = await app.api.delete(`${path}/${first.id}`, { token: user.token });
    expect(status).toBe(204);
    expect(await defaults()).toEqual([newest.id]);
  });

  it("are nobody else's, not even an admin's", async () => {
    const { body } = await add();
    for (const { token } of [await insertUser(app), await insertAdmin(app)]) {
      const one = `${path}/${body.id}`;
      expect((await app.api.put(one, { token, json: { city: 'Elsewhere' } })).status).toBe(404);
      expect((await app.api.delete(one, { token })).status).toBe(404);
      expect((await app.api.get<Address[]>(path, { token })).body).toEqual([]);
    }
    expect((await app.api.get(path)).status).toBe(401);
  });

  it.each([
    [{ first_name: ' ' }, 'first_name'],
    [{ address: 'x'.repeat(301) }, 'address'],
    [{ zip_code: 5 }, 'zip_code'],
    [{ city: null }, 'city'],
    [{ is_default: 'yes' }, 'is_default'],
  ])('are refused by the name of the field: %j', async (choices, field) => {
    const { status, body } = await app.api.post<{ detail: { loc: string[] }[] }>(path, {
      token: user.token,
      json: { ...home, ...choices },
    });
    expect([status, body.detail.map(({ loc }) => loc[1])]).toEqual([422, [field]]);
  });

  it('go with the account', async () => {
    await add();
    expect((await app.api.delete('/api/v1/users/me/profile', { token: user.token })).status).toBe(200);
    expect(await app.database.rows('SELECT FROM user_addresses WHERE user_id = $1', [user.id])).toEqual([]);
  });
});

describe('Addresses that are changed at once on two nodes', () => {
  it('are never more than ten', async () => {
    for (let n = 0; n < 7; n += 1) await add();
    const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => add({}, nodeOf(n))));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(answers.filter(({ body }) => body.code === 'quota_exceeded')).toHaveLength(5);
    expect(await list()).toHaveLength(10);
    expect(await defaults()).toHaveLength(1);
  });

  it('have one default, whoever wins', async () => {
    const ids = (await Promise.all(Array.from({ length: 6 }, (_, n) => add({ is_default: true }, nodeOf(n))))).map(
      ({ status, body }) => (expect(status).toBe(201), body.id),
    );
    expect(await defaults()).toHaveLength(1);
    const answers = await Promise.all(
      [...ids, ...ids].map((id, n) =>
        nodeOf(n).put(`${path}/${id}`, { token: user.token, json: { is_default: true } }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await defaults()).toHaveLength(1);
  });

  it('keep a default as long as there are any', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 6; n += 1) ids.push((await add()).body.id);
    await Promise.all(ids.slice(0, 5).map((id, n) => nodeOf(n).delete(`${path}/${id}`, { token: user.token })));
    expect(await defaults()).toEqual([ids[5]]);
  });
});
