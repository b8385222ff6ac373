import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listRoutes } from '../../../src/platform/auth/route-list.js';
import { insertAdmin, type InsertedUser, insertUser } from '../../support/accounts.js';
import { codeOf } from '../../support/one-time-codes.js';
import { until } from '../../support/receiver.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let admin: InsertedUser;
beforeAll(async () => {
  app = await startTestApp({ env: { ADMIN_TOTP: 'required', ACCESS_POLICY: 'hardened' } });
  admin = await insertAdmin(app);
});
afterAll(() => app.close());

const nil = '00000000-0000-0000-0000-000000000000';

describe('With ADMIN_TOTP=required, an admin without two-factor login', () => {
  it('gets 403 totp_required, which says how to go on, from every route for admins', async () => {
    const routes = listRoutes(app.nest).filter(({ access }) => access?.hardened === 'admin');
    expect(routes.length).toBeGreaterThan(20);
    for (const { method, path } of routes) {
      const filled = path.replaceAll(/:\w*uuid\w*/g, nil).replaceAll(/:\w+/g, '1');
      const { status, body } = await app.api.send<object>(method, filled, { token: admin.token });
      expect([method, path, status, body]).toMatchObject([
        method,
        path,
        403,
        { code: 'totp_required', detail: expect.stringContaining('/api/v1/totp/setup') },
      ]);
    }
  });

  it('has no rights over what is others’ either', async () => {
    const { id } = await insertUser(app);
    const { body } = await app.api.get<{ email: string }>(`/api/v1/users/${id}`, { token: admin.token });
    expect(body.email).toContain('***');
  });

  it('is an admin at once, on all nodes, with it, and no longer without it', async () => {
    const node = await app.anotherNode();
    const { token } = await insertAdmin(app);
    const statuses = async () => {
      const answers = [app.api, node.api].map((api) => api.get('/api/v1/admin/users', { token }));
      return (await Promise.all(answers)).map(({ status }) => status);
    };
    expect(await statuses()).toEqual([403, 403]);
    const { secret } = (await app.api.get<{ secret: string }>('/api/v1/totp/setup', { token })).body;
    const json = { token: codeOf(secret) };
    expect((await app.api.post('/api/v1/totp/enable', { token, json })).status).toBe(200);
    await until(async () => (await statuses()).join() === '200,200');
    expect((await app.api.post('/api/v1/totp/disable', { token, json })).status).toBe(200);
    await until(async () => (await statuses()).join() === '403,403');
  });

  it('leaves those who are no admins what they were', async () => {
    const { token } = await insertUser(app);
    const { body } = await app.api.get('/api/v1/admin/users', { token });
    expect(body).toMatchObject({ code: 'admin_only' });
  });
});
