import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { UserPublic } from '../../../src/store/users/users.dto.js';
import { type Account, insertAdmin, insertUser, signUp } from '../../support/accounts.js';
import { enableTwoFactor } from '../../support/one-time-codes.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

function removeOwn(token: string) {
  return app.api.delete('/api/v1/users/me/profile', { token });
}

/** Gives an account a row of everything that an account can have. */
async function fill({ id }: { id: string }): Promise<number> {
  const [product] = await app.database.rows<{ id: number }>(
    `INSERT INTO products (name, price, stock) VALUES ('Shirt', 10, 5) RETURNING id`,
  );
  await app.database.rows(
    `INSERT INTO cart_items (cart_id, product_id, quantity) SELECT id, $2, 1 FROM carts WHERE user_id = $1`,
    [id, product?.id],
  );
  await app.database.rows(
    `INSERT INTO reviews (product_id, user_id, rating, content) VALUES ($2, $1, 5, 'Marisol was here')`,
    [id, product?.id],
  );
  await app.database.rows(`INSERT INTO testimonials (user_id, content, rating) VALUES ($1, 'Marisol was here', 5)`, [
    id,
  ]);
  await app.database.rows(
    `INSERT INTO idempotency_keys (user_id, key, request_hash, response)
     VALUES ($1, 'key', 'hash', '{"shipping_first_name": "Marisol"}')`,
    [id],
  );
  const [order] = await app.database.rows<{ id: number }>(
    `INSERT INTO orders (user_id, total_price, shipping_first_name, shipping_last_name, shipping_address, shipping_city,
                         shipping_zip, shipping_country, shipping_phone, shipping_method, shipping_cost)
     VALUES ($1, 15.99, 'Marisol', 'Marisol', 'Marisol Street 1', 'Marisol', 'Marisol', 'Spain', 'Marisol', 'standard', 5.99)
     RETURNING id`,
    [id],
  );
  await app.database.rows(
    `INSERT INTO order_items (order_id, product_id, quantity, price, product_name) VALUES ($1, $2, 1, 10, 'x')`,
    [order?.id, product?.id],
  );
  return order?.id ?? 0;
}

/** Every row of every table, as text. */
async function everything(): Promise<string> {
  const tables = await app.database.rows<{ name: string }>(
    `SELECT format('%I', table_name) AS name FROM information_schema.tables
      WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
  );
  const rows = await Promise.all(
    tables.map(({ name }) => app.database.rows(`SELECT to_jsonb(t)::text AS row FROM ${name} AS t`)),
  );
  return JSON.stringify(rows);
}

describe('DELETE /api/v1/users/me/profile', () => {
  it('responds with 200 with a message', async () => {
    const { token } = await insertUser(app);
    expect(await removeOwn(token)).toMatchObject({ status: 200, body: { message: expect.any(String) } });
  });

  it('responds with 401 without a token', async () => {
    expect((await app.api.delete('/api/v1/users/me/profile')).status).toBe(401);
  });

  it('leaves no personal data in any table', async () => {
    const maria = await signUp(app, {
      username: 'marisol.7',
      email: 'marisol@example.com',
      first_name: 'Marisol',
      last_name: 'Marisol',
      bio: 'Marisol',
      avatar_url: 'https://example.com/marisol.png',
    });
    await enableTwoFactor(app, maria.token);
    await app.api.post('/api/v1/auth/login', { json: { username: maria.username, password: maria.password } });
    const orderId = await fill(maria);
    await app.database.rows(`UPDATE orders SET status = 'completed' WHERE id = $1`, [orderId]);
    expect((await everything()).toLowerCase()).toContain('marisol');
    await removeOwn(maria.token);
    expect((await everything()).toLowerCase()).not.toContain('marisol');
    const [row] = await app.database.rows('SELECT password_hash, totp_secret FROM users WHERE id = $1', [maria.id]);
    expect(row).toEqual({ password_hash: 'deleted', totp_secret: null });
  });

  it('deletes cart, reviews, testimonials, codes and challenges', async () => {
    const maria = await signUp(app);
    await fill(maria);
    await enableTwoFactor(app, maria.token);
    await app.api.post('/api/v1/auth/login', { json: { username: maria.username, password: maria.password } });
    await removeOwn(maria.token);
    const left = await app.database.rows(
      `SELECT 'cart' FROM carts WHERE user_id = $1 UNION ALL SELECT 'review' FROM reviews WHERE user_id = $1
       UNION ALL SELECT 'testimonial' FROM testimonials WHERE user_id = $1
       UNION ALL SELECT 'code' FROM recovery_codes WHERE user_id = $1
       UNION ALL SELECT 'challenge' FROM login_challenges WHERE user_id = $1`,
      [maria.id],
    );
    expect(left).toEqual([]);
  });

  it('keeps the orders with their lines', async () => {
    const maria = await insertUser(app);
    const orderId = await fill(maria);
    await app.database.rows(`UPDATE orders SET status = 'delivered' WHERE id = $1`, [orderId]);
    await removeOwn(maria.token);
    const [order] = await app.database.rows(
      `SELECT total_price::float, shipping_country, shipping_first_name, shipping_address,
              (SELECT count(*)::int FROM order_items WHERE order_id = orders.id) AS lines
         FROM orders WHERE id = $1`,
      [orderId],
    );
    expect(order).toEqual({
      total_price: 15.99,
      shipping_country: 'Spain',
      shipping_first_name: null,
      shipping_address: null,
      lines: 1,
    });
  });

  it('ends the tokens and the login, and removes the account from lists', async () => {
    const maria = await signUp(app);
    await removeOwn(maria.token);
    expect((await app.api.get('/api/v1/auth/me', { token: maria.token })).status).toBe(401);
    const json = { username: maria.username, password: maria.password };
    expect((await app.api.post('/api/v1/auth/login', { json })).status).toBe(401);
    const { body } = await app.api.get<UserPublic[]>('/api/v1/users/?limit=1000');
    expect(body.map(({ id }) => id)).not.toContain(maria.id);
  });

  it('frees the username and the e-mail', async () => {
    const { username, email, token, id } = await signUp(app);
    await removeOwn(token);
    const again = await signUp(app, { username, email });
    expect(again.id).not.toBe(id);
  });

  it('responds with 403 for an account that cannot be deleted', async () => {
    const { token } = await insertUser(app, { can_be_deleted: false });
    expect(await removeOwn(token)).toMatchObject({ status: 403, body: { code: 'cannot_be_deleted' } });
    expect((await app.api.get('/api/v1/auth/me', { token })).status).toBe(200);
  });

  it('responds with 409 for the last admin', async () => {
    const admin = await insertAdmin(app);
    expect(await removeOwn(admin.token)).toMatchObject({ status: 409, body: { code: 'last_admin' } });
    expect((await app.api.get('/api/v1/auth/me', { token: admin.token })).status).toBe(200);
  });

  it('deletes once when sent ten times concurrently', async () => {
    const { token } = await insertUser(app);
    const answers = await Promise.all(Array.from({ length: 10 }, () => removeOwn(token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status } of answers) expect([200, 401, 404]).toContain(status);
  });

  it('leaves no valid token to a concurrent login', async () => {
    const maria: Account = await signUp(app);
    const json = { username: maria.username, password: maria.password };
    const logins = Array.from({ length: 4 }, () =>
      app.api.post<{ access_token?: string }>('/api/v1/auth/login', { json }),
    );
    const [, ...answers] = await Promise.all([removeOwn(maria.token), ...logins]);
    for (const { body } of answers) {
      const token = body.access_token ?? '';
      expect((await app.api.get('/api/v1/auth/me', { token })).status).toBe(401);
    }
  });
});
