import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listRoutes, type Route } from '../../../src/platform/auth/route-list.js';
import { keyScopes, scopeKey, type ScopeMark } from '../../../src/platform/auth/scopes.js';
import { uuidV7 } from '../../../src/platform/crypto/uuid-v7.js';
import { insertAdmin } from '../../support/accounts.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let routes: Route[];
const keys = new Map<string, string>();
beforeAll(async () => {
  app = await startTestApp({ env: { ACCESS_POLICY: 'hardened' } });
  routes = listRoutes(app.nest);
  const { token } = await insertAdmin(app);
  for (const scope of keyScopes) {
    const json = { name: scope, scopes: [scope] };
    const { body } = await app.api.post<{ key: string }>('/api/v1/admin/keys', { token, json });
    keys.set(scope, body.key);
  }
});
afterAll(() => app.close());

const nameOf = ({ method, path }: Route): string => `${method} ${path}`;
const scopeOf = ({ target }: Route) => Reflect.getMetadata(scopeKey, target) as ScopeMark | undefined;
const isForAdmins = ({ access }: Route): boolean => access?.hardened === 'admin';

interface Refusal {
  code?: string;
  detail?: unknown;
}

/** Asks for a route with nothing that it could change: ids that do not exist, and an empty body. */
function ask({ method, path }: Route, token: string) {
  const url = path.replace(/:(\w*uuid|key_id|\w+Id)\b/g, () => uuidV7()).replace(/:\w+/g, '0');
  return app.api.send<Refusal>(method, url, { token, ...(method === 'GET' ? {} : { json: {} }) });
}

describe('The scopes of keys', () => {
  it('stand on every route of admins, as @Scope or @PersonOnly, and on no other', () => {
    expect(routes.filter(isForAdmins).length).toBeGreaterThan(25);
    expect(routes.filter((route) => isForAdmins(route) && !scopeOf(route)).map(nameOf)).toEqual([]);
    expect(routes.filter((route) => !isForAdmins(route) && scopeOf(route)).map(nameOf)).toEqual([]);
  });

  it('are all of use', () => {
    const used = new Set(routes.map(scopeOf));
    expect(keyScopes.filter((scope) => !used.has(scope))).toEqual([]);
  });

  it.each(keyScopes.map((scope) => [scope]))('let %s through on its routes alone', async (scope) => {
    const token = keys.get(scope) ?? '';
    for (const route of routes.filter(isForAdmins)) {
      const name = nameOf(route);
      const { status, body } = await ask(route, token);
      if (scopeOf(route) === scope) {
        expect([name, status]).not.toEqual([name, 401]);
        expect([name, status]).not.toEqual([name, 403]);
        expect([name, status >= 500]).toEqual([name, false]);
      } else {
        expect([name, status, body.code]).toEqual([name, 403, 'missing_scope']);
        const needed = scopeOf(route);
        expect(body.detail).toContain(needed === 'person' ? 'a person' : needed);
      }
    }
  });

  it('open no route that takes a signed-in caller', async () => {
    const token = keys.get('orders:read') ?? '';
    const bearer = routes.filter(({ access }) => access?.hardened === 'bearer');
    expect(bearer.length).toBeGreaterThan(20);
    for (const route of bearer) {
      const { status, body } = await ask(route, token);
      expect([nameOf(route), status, body.code]).toEqual([nameOf(route), 403, 'missing_scope']);
    }
  });
});
