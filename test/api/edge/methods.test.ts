import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listRoutes } from '../../../src/platform/auth/route-list.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
const unnamed = '01890a5d-ac96-774b-bcce-b302099a8057';

let service: TestApp;
beforeAll(async () => {
  service = await startTestApp();
});
afterAll(() => service.close());

/** Every path of the service with values for its parameters, and the methods that it takes. */
function takenMethods(): Map<string, Set<string>> {
  const patterns = listRoutes(service.nest).map(({ method, path }) => {
    const pattern = new RegExp(`^${path.replace(/\/$/, '').replace(/:\w+/g, '[^/]+')}/?$`);
    return { method, pattern, address: path.replace(/:\w+/g, unnamed) };
  });
  const taken = new Map<string, Set<string>>();
  for (const { address } of patterns) {
    const found = patterns.filter(({ pattern }) => pattern.test(address)).map(({ method }) => method);
    taken.set(address, new Set(found.includes('GET') ? [...found, 'HEAD'] : found));
  }
  return taken;
}

describe('Every path', () => {
  it('responds with 405 to other methods, and lists the allowed ones', async () => {
    const wrong: unknown[] = [];
    for (const [address, taken] of takenMethods()) {
      for (const method of methods.filter((one) => !taken.has(one))) {
        const { status, headers } = await service.api.send(method, address);
        const allowed = headers.get('allow');
        const expected = methods.filter((one) => taken.has(one)).join(', ');
        if (status !== 405 || allowed !== expected) wrong.push({ method, address, status, allowed, expected });
      }
    }
    expect(wrong).toEqual([]);
  });

  it('names the allowed methods in the message', async () => {
    const { status, body } = await service.api.delete(`/api/v1/events/${unnamed}`);
    expect(status).toBe(405);
    expect(body).toEqual({
      detail: `/api/v1/events/${unnamed} does not support DELETE: use GET, HEAD`,
      code: 'method_not_allowed',
    });
  });
});

describe('A path without a resource', () => {
  it.each(methods)('responds with 404 to %s', async (method) => {
    const { status, headers } = await service.api.send(method, '/api/v1/nothing/here');
    expect([status, headers.get('allow')]).toEqual([404, null]);
  });
});
