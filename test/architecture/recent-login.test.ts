import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AccessTokens } from '../../src/platform/auth/access-tokens.js';
import { type RecentLoginMark, recentLoginKey } from '../../src/platform/auth/recent-login.js';
import { listRoutes } from '../../src/platform/auth/route-list.js';
import { uuidV7 } from '../../src/platform/crypto/uuid-v7.js';
import { insertAdmin } from '../support/accounts.js';
import { insertMembership, insertOrganization } from '../support/organizations.js';
import { withoutRecentLogin } from '../support/recent-logins.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const lines = (file: string): string[] =>
  readFileSync(new URL(file, import.meta.url), 'utf8')
    .trim()
    .split('\n');
const nameOf = (line: string): string => line.split(' ').slice(0, 2).join(' ');

/** Where it is decided who is who: by the paths and the controllers in the committed list of routes. */
const place = /\/(auth|totp|api-keys|keys|sessions|users|members|invitations|account)(\/|\s)/;
const controller = / (Auth|Totp|Api-?Keys?|ShopKeys|Session|User|Account|Member|Invitation|Refresh)\w*Controller\./;
/** GET /totp/setup gives the account another secret. */
const change = /^(POST|PUT|PATCH|DELETE) |^GET \S+\/setup /;
const concerned = lines('./routes.txt')
  .filter((line) => change.test(line) && (place.test(line) || controller.test(line)))
  .map(nameOf);
/** The operations of the interface description, written as routes. */
const documented = new Set(lines('./operations.txt').map((line) => nameOf(line).replace(/\{(\w+)\}/g, ':$1')));

/** What a request needs for its service to find that it asks for a recent login. */
const bodies: Record<string, unknown> = { 'PUT /api/v1/users/me/profile': { email: 'elsewhere@example.com' } };

let app: TestApp;
let marked: Map<string, RecentLoginMark>;
beforeAll(async () => {
  app = await startTestApp({ env: { ACCESS_POLICY: 'hardened' } });
  const marks = listRoutes(app.nest).map(
    ({ method, path, target }) =>
      [`${method} ${path}`, Reflect.getMetadata(recentLoginKey, target) as RecentLoginMark | undefined] as const,
  );
  marked = new Map(marks.flatMap(([name, mark]) => (mark ? [[name, mark] as const] : [])));
});
afterAll(() => app.close());

describe('Routes that change what authenticates', () => {
  it('ask for a recent login, or are exempted with a reason in test/support/recent-logins.ts', () => {
    expect(concerned.length).toBeGreaterThan(30);
    expect(concerned.filter((name) => !marked.has(name) && !(name in withoutRecentLogin))).toEqual([]);
  });

  it('have one decision each, and none is left of a route that is gone', () => {
    const both = [...marked.keys()].filter((name) => name in withoutRecentLogin);
    const gone = Object.keys(withoutRecentLogin).filter((name) => !concerned.includes(name));
    expect({ both, gone }).toEqual({ both: [], gone: [] });
  });

  it('are spared under contract where the interface description has them, and nowhere else', () => {
    const spared = [...marked].filter(([, { policies }]) => !policies.includes('contract')).map(([name]) => name);
    expect(spared.sort()).toEqual([...marked.keys()].filter((name) => documented.has(name)).sort());
    expect([...marked.values()].every(({ policies }) => policies.includes('hardened'))).toBe(true);
  });

  it('refuse an older login with 401 and how to go on, by the guard or by their service', async () => {
    const admin = await insertAdmin(app);
    const { id: organizationId } = await insertOrganization(app);
    await insertMembership(app, organizationId, admin.id, 'admin');
    const authenticatedAt = Date.now() / 1_000 - 901;
    const token = await app.nest.get(AccessTokens).issue(admin.id, 0, { authenticatedAt });
    for (const name of marked.keys()) {
      const [method = '', path = ''] = name.split(' ');
      const url = path.replace(':organizationId', organizationId).replaceAll(/:\w+/g, () => uuidV7());
      const json = method === 'POST' || method === 'PUT' || method === 'PATCH' ? (bodies[name] ?? {}) : undefined;
      const { status, body, headers } = await app.api.send<{ code?: string }>(method, url, { token, json });
      expect([name, status, body.code]).toEqual([name, 401, 'reauthentication_required']);
      expect(headers.get('www-authenticate')).toBe('Bearer error="insufficient_user_authentication", max_age="900"');
    }
  });
});
