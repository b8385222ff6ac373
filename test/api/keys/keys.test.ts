import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AccessTokens } from '../../../src/platform/auth/access-tokens.js';
import type { ShopKey, ShopKeyCreated } from '../../../src/store/keys/shop-keys.dto.js';
import { insertAdmin, type InsertedUser, insertUser } from '../../support/accounts.js';
import type { ApiClient } from '../../support/api-client.js';
import { auditedBy } from '../../support/audit.js';
import { insertProduct } from '../../support/goods.js';
import { eventually } from '../../support/service-copies.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const path = '/api/v1/admin/keys';

let app: TestApp;
let otherNode: ApiClient;
let admin: InsertedUser;
let token: string;
beforeAll(async () => {
  app = await startTestApp();
  otherNode = (await app.anotherNode()).api;
  admin = await insertAdmin(app);
  token = admin.token;
});
afterAll(() => app.close());

async function make(json: object): Promise<ShopKeyCreated> {
  const { status, body } = await app.api.post<ShopKeyCreated>(path, { token, json });
  expect(status).toBe(201);
  return body;
}

describe('POST /api/v1/admin/keys', () => {
  it('makes a key and returns it only this once', async () => {
    const made = await make({ name: ' ERP ', scopes: ['orders:read', 'orders:write', 'orders:read'] });
    expect(made).toEqual({
      id: expect.any(String),
      name: 'ERP',
      scopes: ['orders:read', 'orders:write'],
      prefix: made.key.slice(0, 11),
      created_by: admin.username,
      created_at: expect.any(String),
      expires_at: null,
      last_used_at: null,
      revoked_at: null,
      key: expect.stringMatching(/^sk_[\w-]{43}[0-9a-f]{6}$/),
    });
    const { body } = await app.api.get<ShopKey[]>(path, { token });
    expect(JSON.stringify(body)).not.toContain(made.key);
    expect(body.map(({ id }) => id)).toContain(made.id);
  });

  it('stores only a hash of the key', async () => {
    const { key, id } = await make({ name: 'hashed', scopes: ['stats:read'] });
    const [row] = await app.database.rows<{ text: string }>(
      'SELECT to_json(k)::text AS text FROM shop_keys k WHERE id = $1',
      [id],
    );
    expect(row?.text).not.toContain(key.slice(11));
  });

  it.each([
    [{ name: ' ', scopes: ['stats:read'] }, 'name'],
    [{ name: 'x'.repeat(201), scopes: ['stats:read'] }, 'name'],
    [{ name: 'ERP', scopes: [] }, 'scopes'],
    [{ name: 'ERP' }, 'scopes'],
    [{ name: 'ERP', scopes: ['orders:delete'] }, 'scopes'],
    [{ name: 'ERP', scopes: ['stats:read'], expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
  ])('refuses %j with 422 by the name of the field', async (json, field) => {
    const { status, body } = await app.api.post<{ detail: { loc: unknown[] }[] }>(path, { token, json });
    expect([status, body.detail[0]?.loc.slice(0, 2)]).toEqual([422, ['body', field]]);
  });

  it('takes a recent login of an admin', async () => {
    const json = { name: 'ERP', scopes: ['stats:read'] };
    const user = await insertUser(app);
    expect((await app.api.post(path, { token: user.token, json })).status).toBe(403);
    const authenticatedAt = Date.now() / 1_000 - 901;
    const old = await app.nest.get(AccessTokens).issue(admin.id, 0, { authenticatedAt });
    const { status, body } = await app.api.post<{ code: string }>(path, { token: old, json });
    expect([status, body.code]).toEqual([401, 'reauthentication_required']);
  });

  it('audits the making and the revocation, without the key', async () => {
    let made: ShopKeyCreated | undefined;
    const entries = await auditedBy(app, async () => {
      made = await make({ name: 'audited', scopes: ['stats:read'] });
      await app.api.delete(`${path}/${made.id}`, { token });
      await app.api.delete(`${path}/${made.id}`, { token });
    });
    expect(entries.map(({ action, subject_id, subject_name }) => [action, subject_id, subject_name])).toEqual([
      ['api_key.created', made?.id, 'audited'],
      ['api_key.revoked', made?.id, 'audited'],
    ]);
    expect(JSON.stringify(entries)).not.toContain(made?.key);
  });
});

describe('A key of the shop', () => {
  it('is a bearer token on operations that its scopes cover', async () => {
    const { key, id } = await make({ name: 'stats', scopes: ['stats:read', 'catalog:write'] });
    expect((await app.api.get('/api/v1/admin/stats', { token: key })).status).toBe(200);
    await eventually(async () => {
      const { body } = await app.api.get<ShopKey[]>(path, { token });
      return body.some((one) => one.id === id && one.last_used_at !== null);
    });
    const { status, body } = await app.api.get<{ code: string; detail: string }>('/api/v1/admin/orders', {
      token: key,
    });
    expect([status, body.code]).toEqual([403, 'missing_scope']);
    expect(body.detail).toContain('orders:read');
  });

  it('is audited by its own name', async () => {
    const { key, id } = await make({ name: 'price robot', scopes: ['catalog:write'] });
    const product = await insertProduct(app);
    const [entry] = await auditedBy(app, () =>
      app.api.put(`/api/v1/admin/products/${product}`, { token: key, json: { price: 3 } }),
    );
    expect(entry).toMatchObject({
      action: 'product.updated',
      actor_kind: 'api_key',
      actor_id: id,
      actor_name: 'price robot',
    });
  });

  it('stands for nobody: what only a person may do is 403', async () => {
    const { key } = await make({ name: 'nobody', scopes: ['orders:read', 'customers:read'] });
    for (const address of ['/api/v1/auth/me', '/api/v1/cart/', '/api/v1/organizations', path]) {
      const { status, body } = await app.api.get<{ code: string }>(address, { token: key });
      expect([address, status, body.code]).toEqual([address, 403, 'missing_scope']);
    }
    expect((await app.api.get('/api/v1/products/', { token: key })).status).toBe(200);
  });

  it('is 401 when it is mistyped, unknown or expired', async () => {
    const { key, id } = await make({ name: 'short', scopes: ['stats:read'], expires_at: '2999-01-01T00:00:00Z' });
    await app.database.rows(`UPDATE shop_keys SET expires_at = now() WHERE id = $1`, [id]);
    for (const sent of [key, `${key}0`, `sk_${'A'.repeat(49)}`, 'sk_x']) {
      const { status, body, headers } = await app.api.get<{ code: string }>('/api/v1/admin/stats', { token: sent });
      expect([status, body.code]).toEqual([401, 'invalid_api_key']);
      expect(headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
    }
  });

  it('ends at once on all nodes when it is revoked in the middle of its requests', async () => {
    const { key, id } = await make({ name: 'stream', scopes: ['stats:read'] });
    const ask = async (api: ApiClient) => (await api.get('/api/v1/admin/stats', { token: key })).status;
    const before = await Promise.all(Array.from({ length: 10 }, (_, n) => ask(n % 2 ? app.api : otherNode)));
    expect(new Set(before)).toEqual(new Set([200]));
    expect((await app.api.delete(`${path}/${id}`, { token })).status).toBe(204);
    const after = await Promise.all(Array.from({ length: 10 }, (_, n) => ask(n % 2 ? app.api : otherNode)));
    expect(new Set(after)).toEqual(new Set([401]));
    expect(
      (await app.api.get<ShopKey[]>(path, { token })).body.find((one) => one.id === id)?.revoked_at,
    ).not.toBeNull();
  });

  it('stays in force when its maker is deleted, who is no longer named', async () => {
    const maker = await insertAdmin(app);
    const json = { name: 'stays', scopes: ['stats:read'] };
    const { body: made } = await app.api.post<ShopKeyCreated>(path, { token: maker.token, json });
    expect((await app.api.delete(`/api/v1/admin/users/${maker.id}`, { token })).status).toBe(204);
    expect((await app.api.get('/api/v1/admin/stats', { token: made.key })).status).toBe(200);
    const { body } = await app.api.get<ShopKey[]>(path, { token });
    expect(body.find((one) => one.id === made.id)?.created_by).toBeNull();
  });
});

describe('The keys of a shop', () => {
  it('are at most a hundred in force, also when many are made at once on two nodes', async () => {
    await app.database.rows('UPDATE shop_keys SET revoked_at = now() WHERE revoked_at IS NULL');
    await app.database.rows(
      `INSERT INTO shop_keys (id, name, scopes, prefix, key_hash)
       SELECT gen_random_uuid(), 'one', '{stats:read}', 'sk_', gen_random_uuid() FROM generate_series(1, 97)`,
    );
    const json = { name: 'more', scopes: ['stats:read'] };
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => (n % 2 ? app.api : otherNode).post<{ code?: string }>(path, { token, json })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(answers.filter(({ body }) => body.code === 'quota_exceeded')).toHaveLength(5);
  });

  it('are 404 for an id that is none of them', async () => {
    const id = '0199a001-0000-7000-8000-000000000014';
    expect((await app.api.delete(`${path}/${id}`, { token })).status).toBe(404);
  });
});
