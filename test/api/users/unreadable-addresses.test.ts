import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { insertUser, newUsername, type InsertedUser } from '../../support/accounts.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let user: InsertedUser;
beforeAll(async () => {
  app = await startTestApp();
  user = await insertUser(app);
});
afterAll(() => app.close());

const unreadable = ['zero\u200bwidth@example.com', '"quoted local"@example.com', 'm\u00fcller@example.com'];

describe('An e-mail address that `format: email` does not take', () => {
  it.each(unreadable)('%s is refused at registration and in the profile', async (email) => {
    const json = { username: newUsername(), email, password: 'correct horse 7' };
    expect((await app.api.post('/api/v1/auth/register', { json })).status).toBe(422);
    expect((await app.api.put('/api/v1/users/me/profile', { token: user.token, json: { email } })).status).toBe(422);
  });
});
