import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AccountExports } from '../../../src/platform/account-export/account-exports.js';
import { signUp, insertAdmin, insertUser, type Account } from '../../support/accounts.js';
import { checkout } from '../../support/checkout.js';
import { addToCart, insertProduct } from '../../support/goods.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const path = '/api/v1/users/me/export';

/** Columns that name a user, and are not exported, each with its reason. */
const notExported: Record<string, string> = {
  'idempotency_keys.user_id': 'answers of a day, whose orders and carts are exported themselves',
  'noted_requests.user_id': 'addresses and refusals of a day, for the operator; no content of theirs',
  'login_challenges.user_id': 'digests of tokens that end after five minutes',
  'recovery_codes.user_id': 'digests of secrets; the account says whether it has two-factor login',
  'store_events.user_id': 'copies of a month: their orders, reviews and account are exported themselves',
};

type Export = Record<string, Record<string, unknown>[]> & { exported_at: never };

let app: TestApp;
let user: Account;
beforeAll(async () => {
  app = await startTestApp({ env: { QUOTAS: 'exports=30' } });
  user = await signUp(app, { first_name: 'Ada', bio: 'Wrote the first program.' });
});
afterAll(() => app.close());

async function exported(token = user.token): Promise<Export> {
  const { status, body } = await app.api.get<Export>(path, { token });
  expect(status).toBe(200);
  return body;
}

/** The columns of the schema that name a user: by a foreign key, by their name, and those of the audit log. */
function userColumns(): string[] {
  const schema = readFileSync(new URL('../../../src/database/schema.sql', import.meta.url), 'utf8');
  return [...schema.matchAll(/^CREATE TABLE (\w+) \(\n([^]*?)^\)/gm)].flatMap(([, table = '', body = '']) => {
    const byKey = [...body.matchAll(/FOREIGN KEY \((\w+)\) REFERENCES users\(/g)].map(([, column = '']) => column);
    const byName = [...body.matchAll(/^ {2}(\w*user_id|created_by|actor_id|subject_id|invited_by) /gm)].map(
      ([, column = '']) => column,
    );
    return [...new Set([...byKey, ...byName])].map((column) => `${table}.${column}`);
  });
}

describe('The sections of an export', () => {
  it('are of every column that names a user, unless it is exempted with a reason', () => {
    const columns = userColumns();
    expect(columns.length).toBeGreaterThan(20);
    const { sections } = app.nest.get(AccountExports);
    const covered = sections.flatMap((section) => section.columns).filter((column) => column !== 'users.id');
    expect([...covered, ...Object.keys(notExported)].sort()).toEqual(columns.sort());
  });

  it('read the tables and columns that they name', () => {
    for (const { page, columns } of app.nest.get(AccountExports).sections) {
      for (const [table = '', column = ''] of columns.map((one) => one.split('.'))) {
        expect(page.text).toMatch(new RegExp(`FROM ${table}\\b`));
        expect(page.text).toMatch(new RegExp(`\\b${column} = `));
      }
    }
  });
});

describe('GET /api/v1/users/me/export', () => {
  it('tells what the shop holds about the caller', async () => {
    const product = await insertProduct(app, { name: 'Vase', price: 3 });
    await addToCart(app, user, product, 2);
    const { body: order } = await checkout(app.api, user, { shipping: { city: 'Ockham' } });
    await app.database.rows(
      `WITH payment AS (
         INSERT INTO payments (id, order_id, provider, reference, amount, currency)
         VALUES (gen_random_uuid(), $1, 'manual', 'bank 7', 6, 'USD') RETURNING id)
       INSERT INTO refunds (id, order_id, payment_id, amount, reason, restock)
       SELECT gen_random_uuid(), $1, id, 1, 'a chip', false FROM payment`,
      [order.id],
    );
    await addToCart(app, user, product, 1);
    const json = { first_name: 'Ada', last_name: 'L', address: '1 Way', city: 'London', zip_code: '1', country: 'UK' };
    await app.api.post('/api/v1/users/me/addresses', { token: user.token, json });
    await app.api.post(`/api/v1/reviews/product/${product}`, { token: user.token, json: { rating: 5, title: 'Good' } });
    await app.database.rows("UPDATE reviews SET answer = 'Thanks', answered_at = now() WHERE product_id = $1", [
      product,
    ]);
    await app.api.post('/api/v1/testimonials/', { token: user.token, json: { content: 'Nice shop', rating: 5 } });
    await app.api.post('/api/v1/organizations', { token: user.token, json: { name: 'Analytical' } });
    const all = await exported();
    expect(all).toMatchObject({
      exported_at: expect.any(String),
      profile: [{ id: user.id, username: user.username, email: user.email, first_name: 'Ada' }],
      addresses: [{ city: 'London', is_default: true }],
      orders: [
        {
          id: order.id,
          shipping_city: 'Ockham',
          items: [{ product_id: product, name: 'Vase', quantity: 2, price: 3 }],
          payments: [{ provider: 'manual', reference: 'bank 7', amount: 6 }],
          refunds: [{ amount: 1, reason: 'a chip' }],
        },
      ],
      cart: [{ items: [{ product_id: product, quantity: 1 }] }],
      reviews: [{ product_id: product, title: 'Good', answer: 'Thanks', answered_at: expect.any(String) }],
      testimonials: [{ content: 'Nice shop', answer: null, answered_at: null }],
      sessions: [{ address: expect.any(String) }],
      known_devices: [{}],
      memberships: [{ name: 'Analytical', role: 'admin' }],
      organizations: [{ name: 'Analytical' }],
    });
    expect(all['security_events']?.map(({ action }) => action)).toContain('user.signed_in');
  });

  it("holds no secrets, and nothing of another's", async () => {
    const admin = await insertAdmin(app);
    await app.api.put(`/api/v1/admin/users/${user.id}`, { token: admin.token, json: { can_be_deleted: true } });
    const order = (await exported())['orders']?.[0]?.['id'];
    await app.database.rows(
      `INSERT INTO order_notes (id, order_id, user_id, text) VALUES (gen_random_uuid(), $1, $2, $3)`,
      [order, admin.id, 'a difficult customer'],
    );
    const [secrets] = await app.database.rows<Record<string, string>>(
      `SELECT password_hash, (SELECT string_agg(token_hash, ' ') FROM sessions WHERE user_id = u.id) AS tokens,
              (SELECT string_agg(token_hash, ' ') FROM mail_tokens WHERE user_id = u.id) AS links
         FROM users u WHERE id = $1`,
      [user.id],
    );
    const text = JSON.stringify(await exported());
    for (const secret of Object.values(secrets ?? {}).flatMap((one) => one?.split(' ') ?? [])) {
      expect(text).not.toContain(secret);
    }
    expect(text).not.toContain('difficult customer');
    expect(text).not.toContain(admin.id);
    const { orders, profile, addresses } = await exported((await insertUser(app)).token);
    expect([orders, profile?.length, addresses]).toEqual([[], 1, []]);
  });

  it('goes through all pages of a kind, also of rows of one moment', async () => {
    const buyer = await insertUser(app);
    await app.database.rows(
      `INSERT INTO orders (user_id, total_price, created_at)
       SELECT $1, n, now() - (n / 150) * interval '1 day' FROM generate_series(1, 350) AS n`,
      [buyer.id],
    );
    const { orders = [] } = await exported(buyer.token);
    expect(orders).toHaveLength(350);
    expect(new Set(orders.map(({ id }) => id)).size).toBe(350);
  });

  it('is for a signed-in caller, a bounded number of times in an hour', async () => {
    expect((await app.api.get(path)).status).toBe(401);
    const { token } = await insertUser(app);
    for (let n = 0; n < 30; n += 1) expect((await app.api.get(path, { token })).status).toBe(200);
    const { status, headers, body } = await app.api.get<{ code: string }>(path, { token });
    expect([status, body.code]).toEqual([429, 'rate_exceeded']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  });
});
