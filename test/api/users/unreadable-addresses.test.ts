import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { insertAdmin, type InsertedUser, insertUser, newUsername } from '../../support/accounts.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let admin: InsertedUser;
beforeAll(async () => {
  app = await startTestApp();
  admin = await insertAdmin(app);
});
afterAll(() => app.close());

const unreadable = ['zero\u200bwidth@example.com', '"quoted local"@example.com', 'm\u00fcller@example.com'];

describe('An e-mail address that `format: email` does not take', () => {
  it.each(unreadable)('%s is refused at registration and in the profile', async (email) => {
    const json = { username: newUsername(), email, password: 'correct horse 7' };
    expect((await app.api.post('/api/v1/auth/register', { json })).status).toBe(422);
    expect((await app.api.put('/api/v1/users/me/profile', { token: admin.token, json: { email } })).status).toBe(422);
  });

  it.each(unreadable)(
    '%s of an account from before shows as one that nobody has, until its owner sets another',
    async (email) => {
      const { id, token } = await insertUser(app, { email });
      const shown = `${id}@unusable.invalid`;
      // The client of the tests checks each answer against the interface description, formats included.
      const { body } = await app.api.get<{ id: string; email: string }[]>('/api/v1/admin/users', {
        token: admin.token,
      });
      expect(body.find((user) => user.id === id)?.email).toBe(shown);
      expect((await app.api.get(`/api/v1/users/${id}`)).body).toMatchObject({ email: shown });
      expect((await app.api.get('/api/v1/auth/me', { token })).body).toMatchObject({ email: shown });
      const [kept] = await app.database.rows<{ email: string }>('SELECT email FROM users WHERE id = $1', [id]);
      expect(kept?.email).toBe(email);
      const json = { email: `${id}@example.com` };
      expect((await app.api.put('/api/v1/users/me/profile', { token, json })).body).toMatchObject(json);
    },
  );
});
