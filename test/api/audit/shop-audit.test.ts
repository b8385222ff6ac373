import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ShopAuditPage } from '../../../src/store/admin/admin-audit.dto.js';
import { insertAdmin, insertUser, type InsertedUser } from '../../support/accounts.js';
import { auditedBy } from '../../support/audit.js';
import { insertProduct } from '../../support/goods.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let admin: InsertedUser;
beforeAll(async () => {
  app = await startTestApp({ env: { TRUST_PROXY: 'loopback' } });
  admin = await insertAdmin(app);
});
afterAll(() => app.close());

async function list(query = '', token = admin.token): Promise<ShopAuditPage> {
  const { body } = await app.api.get<ShopAuditPage>(`/api/v1/admin/audit${query}`, { token });
  return body;
}

function update(id: number, json: object, headers: Record<string, string> = {}) {
  return app.api.put(`/api/v1/admin/products/${id}`, { token: admin.token, json, headers });
}

describe('An entry', () => {
  it('says who did what to whom, when and from where', async () => {
    const id = await insertProduct(app, { name: 'Linen shirt', price: 49.9 });
    const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0';
    const headers = { 'x-forwarded-for': '203.0.113.7', 'x-request-id': 'price-cut-1', 'user-agent': agent };
    const before = Date.now();
    await update(id, { price: 39.9, description: 'Softer than before' }, headers);
    const [entry] = (await list()).data;
    expect(entry).toEqual({
      id: expect.any(String),
      created_at: expect.any(String),
      action: 'product.updated',
      actor: { kind: 'user', id: admin.id, name: admin.username },
      subject: { type: 'product', id: String(id), name: 'Linen shirt' },
      changes: { price: { from: 49.9, to: 39.9 }, description: { changed: true } },
      address: '203.0.113.7',
      device: 'Firefox on Linux',
      request_id: 'price-cut-1',
    });
    expect(new Date(entry?.created_at ?? 0).getTime()).toBeGreaterThanOrEqual(before);
  });

  it('names nobody when the contract leaves a write open to all', async () => {
    const id = await insertProduct(app);
    const [entry] = await auditedBy(app, () => app.api.put(`/api/v1/products/${id}`, { json: { stock: 3 } }));
    expect(entry).toMatchObject({ action: 'product.updated', actor_kind: 'anonymous', actor_id: null });
  });

  it('is not made when nothing changed or the change was refused', async () => {
    const id = await insertProduct(app, { price: 20 });
    const entries = await auditedBy(app, async () => {
      await update(id, { price: 20 });
      await update(id, {});
      await update(id + 1_000, { price: 3 });
    });
    expect(entries).toEqual([]);
  });
});

describe('The names of people', () => {
  it('are not stored, and disappear with the account', async () => {
    const other = await insertAdmin(app);
    const id = await insertProduct(app);
    await app.api.delete(`/api/v1/admin/products/${id}`, { token: other.token });
    expect((await list()).data[0]?.actor).toEqual({ kind: 'user', id: other.id, name: other.username });
    await app.api.delete(`/api/v1/admin/users/${other.id}`, { token: admin.token });
    const [deletion] = (await list('?action=product.deleted')).data;
    expect(deletion?.actor).toEqual({ kind: 'user', id: other.id, name: null });
    const rows = await app.database.rows<{ row: string }>('SELECT audit_entries::text AS row FROM audit_entries');
    expect(rows.filter(({ row }) => row.includes(other.username))).toEqual([]);
  });
});

describe('GET /api/v1/admin/audit', () => {
  it('is only for admins', async () => {
    const user = await insertUser(app);
    expect((await app.api.get('/api/v1/admin/audit', { token: user.token })).status).toBe(403);
    expect((await app.api.get('/api/v1/admin/audit')).status).toBe(401);
  });

  it('pages by cursor, newest first, and returns each entry once while others are added', async () => {
    const id = await insertProduct(app);
    for (const stock of [1, 2, 3, 4, 5]) await update(id, { stock });
    const filter = `?subject_type=product&subject_id=${id}&size=2`;
    const pages = [await list(filter)];
    await update(id, { stock: 6 });
    for (let next = pages[0]?.next_cursor; next; next = pages.at(-1)?.next_cursor) {
      pages.push(await list(`${filter}&cursor=${next}`));
    }
    expect(pages.map(({ data }) => data.length)).toEqual([2, 2, 1]);
    const stocks = pages.flatMap(({ data }) => data.map(({ changes }) => (changes['stock'] as { to: number }).to));
    expect(stocks).toEqual([5, 4, 3, 2, 1]);
  });

  it('filters by action, actor, subject and time, alone and combined', async () => {
    const one = await insertProduct(app);
    const other = await insertProduct(app);
    await update(one, { stock: 7 });
    const [{ created_at: first } = { created_at: new Date() }] = (await list()).data;
    await update(other, { stock: 7 });
    await app.api.delete(`/api/v1/admin/products/${one}`, { token: admin.token });
    const subjects = async (query: string) =>
      (await list(`${query}&actor_id=${admin.id.toUpperCase()}`)).data.map(({ action, subject }) => [
        action,
        subject.id,
      ]);
    const mine = [
      ['product.deleted', String(one)],
      ['product.updated', String(one)],
    ];
    expect(await subjects(`?subject_id=${one}`)).toEqual(mine);
    expect(await subjects(`?subject_type=product&subject_id=${one}`)).toEqual(mine);
    expect(await subjects(`?subject_id=${one}&action=product.deleted`)).toEqual(mine.slice(0, 1));
    const since = new Date(new Date(first).getTime() + 1).toISOString();
    expect(await subjects(`?subject_id=${one}&since=${since}`)).toEqual(mine.slice(0, 1));
    expect(await subjects(`?subject_id=${one}&until=${since}`)).toEqual(mine.slice(1));
    expect((await list(`?actor_id=${crypto.randomUUID()}`)).data).toEqual([]);
  });

  it.each(['?action=product.eaten', '?since=yesterday', '?actor_id=5', '?cursor=xyz', '?size=101', '?subject_id='])(
    'refuses %s',
    async (query) => {
      expect((await app.api.get(`/api/v1/admin/audit${query}`, { token: admin.token })).status).toBe(422);
    },
  );
});
