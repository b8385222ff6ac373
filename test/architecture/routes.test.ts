import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listRoutes, type Route } from '../../src/platform/auth/route-list.js';
import { auditedRoutes, unauditedRoutes } from '../support/audited-routes.js';
import { expectFile } from '../support/snapshot-file.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let routes: Route[];
beforeAll(async () => {
  app = await startTestApp();
  routes = listRoutes(app.nest);
});
afterAll(() => app.close());

function line({ method, path, access, handler }: Route): string {
  const mark = access?.contract === access?.hardened ? access?.contract : `${access?.contract}/${access?.hardened}`;
  return `${method} ${path} ${mark} ${handler}`;
}

/** The addresses that a sign-in provider knows from its own settings. */
const calledByOthers = new Set(['/api/v1/auth/oidc/callback', '/api/v1/auth/oidc/backchannel-logout']);

describe('The routes', () => {
  it('have an access mark each', () => {
    expect(routes.filter(({ access }) => !access).map(line)).toEqual([]);
  });

  it('match the committed list', async () => {
    await expectFile(new URL('./routes.txt', import.meta.url), `${routes.map(line).sort().join('\n')}\n`);
  });

  it('are audited if they write, or exempted with a reason in test/support/audited-routes.ts', () => {
    const writing = routes.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);
    const named = [...Object.keys(auditedRoutes), ...Object.keys(unauditedRoutes)];
    expect(named.sort()).toEqual(writing.sort());
  });

  it('are all described by /openapi.json', async () => {
    const { body } = await app.api.get<{ paths: Record<string, object> }>('/openapi.json');
    const described = Object.entries(body.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const declared = routes
      .filter(
        ({ path }) =>
          !calledByOthers.has(path) &&
          path !== '/metrics' &&
          !/^\/(uploads|account|payments|api\/v1\/payments)\//.test(path),
      )
      .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`);
    expect(described.sort()).toEqual(declared.sort());
  });
});
