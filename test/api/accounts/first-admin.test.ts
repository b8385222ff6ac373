import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { StartError } from '../../../src/config/start-error.js';
import { FirstAdminService } from '../../../src/store/accounts/first-admin.service.js';
import { insertUser, signIn } from '../../support/accounts.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let accounts: FirstAdminService;
beforeEach(async () => {
  app = await startTestApp();
  accounts = app.nest.get(FirstAdminService);
});
afterEach(() => app.close());

const admin = { username: 'admin', email: 'admin@example.com' };

describe('FirstAdminService.ensure', () => {
  it('makes an admin with a cart and the given password who cannot be deleted', async () => {
    expect(await accounts.ensure({ ...admin, password: 'correct horse 7' })).toEqual({ created: true });
    const token = await signIn(app, 'admin', 'correct horse 7');
    const me = await app.api.get('/api/v1/auth/me', { token });
    expect(me.body).toMatchObject({ ...admin, role: 'admin', can_be_deleted: false });
    expect(await app.database.rows('SELECT FROM carts')).toHaveLength(1);
  });

  it('returns a generated password once', async () => {
    const { created, generatedPassword = '' } = await accounts.ensure(admin);
    expect(created).toBe(true);
    expect(generatedPassword).toMatch(/^[\w-]{24}$/);
    expect(await signIn(app, 'admin', generatedPassword)).toEqual(expect.any(String));
    expect(await accounts.ensure(admin)).toEqual({ created: false });
  });

  it('makes one admin in ten concurrent calls on two nodes', async () => {
    const other = (await app.anotherNode()).nest.get(FirstAdminService);
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? accounts : other).ensure(admin)),
    );
    expect(outcomes.filter(({ created }) => created)).toHaveLength(1);
    expect(outcomes.filter(({ generatedPassword }) => generatedPassword !== undefined)).toHaveLength(1);
    expect(await app.database.rows('SELECT FROM users')).toHaveLength(1);
  });

  it('does nothing if there is another admin', async () => {
    await insertUser(app, { role: 'admin' });
    expect(await accounts.ensure(admin)).toEqual({ created: false });
    expect(await app.database.rows('SELECT FROM users')).toHaveLength(1);
  });

  it('throws, and promotes nobody, when an account has already registered under the name', async () => {
    const { id } = await insertUser(app, { username: 'Admin' });
    await expect(accounts.ensure(admin)).rejects.toThrow(StartError);
    expect(await app.database.rows(`SELECT role FROM users WHERE id = $1`, [id])).toEqual([{ role: 'user' }]);
  });
});
