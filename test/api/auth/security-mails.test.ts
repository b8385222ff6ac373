import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { insertAdmin, signUp } from '../../support/accounts.js';
import { allMailsSent, type MailServer, startMailServer } from '../../support/mail-server.js';
import { codeOf, enableTwoFactor } from '../../support/one-time-codes.js';
import { insertMembership, insertOrganization } from '../../support/organizations.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let server: MailServer;
let app: TestApp;
beforeAll(async () => {
  server = await startMailServer();
  app = await startTestApp({ env: server.env, jobs: true });
});
afterAll(async () => {
  await app.close();
  await server.close();
});

type Owner = Awaited<ReturnType<typeof signUp>>;

/** Each change of a factor, a key, the address or a role, with the mail that tells its owner. */
const changes: [string, (owner: Owner) => Promise<unknown>, subject: string][] = [
  ['two-factor login on', ({ token }) => enableTwoFactor(app, token), 'Two-factor login was turned on'],
  [
    'two-factor login off',
    async ({ token }) => {
      const { secret } = await enableTwoFactor(app, token);
      return app.api.post('/api/v1/totp/disable', { token, json: { token: codeOf(secret) } });
    },
    'Two-factor login was turned off',
  ],
  [
    'two-factor login reset by an admin',
    async ({ token, id }) => {
      await enableTwoFactor(app, token);
      const admin = await insertAdmin(app);
      return app.api.post(`/api/v1/admin/users/${id}/totp/reset`, { token: admin.token });
    },
    'Two-factor login was turned off',
  ],
  [
    'new recovery codes',
    async ({ token }) => {
      const { secret } = await enableTwoFactor(app, token);
      return app.api.post('/api/v1/totp/recovery-codes', { token, json: { token: codeOf(secret) } });
    },
    'Your recovery codes were replaced',
  ],
  [
    'another password',
    ({ token, password: current_password }) =>
      app.api.post('/api/v1/auth/password', { token, json: { current_password, new_password: 'correct horse 8' } }),
    'Your password was changed',
  ],
  [
    'another address',
    ({ token, username }) =>
      app.api.put('/api/v1/users/me/profile', { token, json: { email: `${username}@elsewhere.example` } }),
    'Your address was changed',
  ],
  [
    'another role',
    async ({ id }) => {
      const { token } = await insertAdmin(app);
      return app.api.put(`/api/v1/admin/users/${id}`, { token, json: { role: 'admin' } });
    },
    'The role of your account was changed',
  ],
  ['a new API key', async (owner) => (await keyOf(owner)).made, 'An API key was made in your name'],
  [
    'a revoked API key',
    async (owner) => {
      const { keys, made } = await keyOf(owner);
      return app.api.delete(`${keys}/${made.body.id}`, { token: owner.token });
    },
    'An API key of yours was revoked',
  ],
  [
    'all API keys revoked with the membership',
    async (owner) => {
      const { organization, keys } = await keyOf(owner);
      await app.api.post(keys, { token: owner.token, json: { name: 'Second', role: 'viewer' } });
      const path = `/api/v1/organizations/${organization.id}/members/${owner.id}?revokeKeys=true`;
      return app.api.delete(path, { token: organization.admin.token });
    },
    '2 API keys of yours were revoked',
  ],
];

/** What an admin does to an account. */
const acts: typeof changes = [
  [
    'a suspension',
    async ({ id }) => {
      const { token } = await insertAdmin(app);
      return app.api.put(`/api/v1/admin/users/${id}`, { token, json: { suspended: true } });
    },
    'Your account was suspended',
  ],
  [
    'the end of a suspension',
    async ({ id }) => {
      const { token } = await insertAdmin(app);
      await app.database.rows('UPDATE users SET suspended_at = now() WHERE id = $1', [id]);
      return app.api.put(`/api/v1/admin/users/${id}`, { token, json: { suspended: false } });
    },
    'You can sign in again',
  ],
  [
    'signing it out everywhere',
    async ({ id }) => {
      const { token } = await insertAdmin(app);
      return app.api.delete(`/api/v1/admin/users/${id}/sessions`, { token });
    },
    'Your account was signed out everywhere',
  ],
];

async function keyOf({ id, token }: Owner) {
  const organization = await insertOrganization(app);
  await insertMembership(app, organization.id, id, 'admin');
  const keys = `/api/v1/organizations/${organization.id}/api-keys`;
  const made = await app.api.post<{ id: string }>(keys, { token, json: { name: 'Pipeline', role: 'viewer' } });
  return { organization, keys, made };
}

describe('The owner of an account is mailed', () => {
  it.each(changes)('%s', async (_, change, subject) => {
    const owner = await signUp(app);
    await change(owner);
    await allMailsSent(app);
    const mails = server.mailsTo(owner.email).filter((mail) => mail.subject.includes(subject));
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toMatch(/If\s+(it|that)\s+was\s+you/);
  });

  it.each(acts)('%s', async (_, act, subject) => {
    const owner = await signUp(app);
    const { status } = (await act(owner)) as { status: number };
    expect([200, 204]).toContain(status);
    await allMailsSent(app);
    expect(server.mailsTo(owner.email).filter((mail) => mail.subject.includes(subject))).toHaveLength(1);
  });
});
