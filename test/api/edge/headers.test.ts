import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listCacheableRoutes } from '../../../src/platform/cache/cacheable-routes.js';
import { listRoutes } from '../../../src/platform/auth/route-list.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let service: TestApp;
beforeAll(async () => {
  service = await startTestApp({ env: { METRICS_TOKEN: 'scrape-me-every-15-seconds' } });
});
afterAll(() => service.close());

/** Sends raw bytes and returns what comes back until the connection ends. */
function exchange(request: string): Promise<string> {
  const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1');
  socket.write(request);
  return text(socket);
}

describe('Every response that is not a public read', () => {
  it('is not cached', async () => {
    const cacheable = new Set(listCacheableRoutes(service.nest).map(({ path }) => path));
    const kept: unknown[] = [];
    for (const { method, path } of listRoutes(service.nest)) {
      if (cacheable.has(path) || path.startsWith('/uploads/') || path.startsWith('/schemas')) continue;
      const { status, headers } = await service.api.send(method, path.replace(/:\w+/g, '1'));
      if (headers.get('cache-control') !== 'no-store') kept.push([method, path, status, headers.get('cache-control')]);
    }
    expect(kept).toEqual([]);
  });

  it('is not cached as the refusal of a public read', async () => {
    const { status, headers } = await service.api.get('/api/v1/products/999');
    expect([status, headers.get('cache-control')]).toEqual([404, 'no-store']);
  });
});

describe('Every answer', () => {
  /** Ways to an answer of each kind, as the bytes that are sent. */
  const ways: Record<string, [status: number, request: string]> = {
    'a public read': [200, 'GET /api/v1/products/ HTTP/1.1'],
    'a missing product': [404, 'GET /api/v1/products/999 HTTP/1.1'],
    'a missing picture': [404, 'GET /uploads/avatar/nobody.webp HTTP/1.1'],
    'a picture of no kind': [404, 'GET /uploads/other/nobody.webp HTTP/1.1'],
    'a picture of no type': [404, 'GET /uploads/avatar/nobody HTTP/1.1'],
    'a missing file of the console': [404, 'GET /console/assets/nothing.js HTTP/1.1'],
    'a missing file of the docs': [404, 'GET /docs/nothing.js HTTP/1.1'],
    'the interface description': [200, 'GET /openapi.json HTTP/1.1'],
    'an unknown address': [404, 'GET /nothing HTTP/1.1'],
    'an unknown schema': [404, 'GET /schemas/nothing HTTP/1.1'],
    'no token': [401, 'GET /api/v1/auth/me HTTP/1.1'],
    'the health': [200, 'GET /health HTTP/1.1'],
    'another method': [405, 'DELETE /api/v1/products/ HTTP/1.1'],
    'no JSON': [422, 'POST /api/v1/auth/login HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 1'],
    'a type of no use': [415, 'POST /api/v1/auth/login HTTP/1.1\r\nContent-Type: text/csv\r\nContent-Length: 1'],
    'a body that is too large': [
      413,
      'POST /api/v1/auth/login HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 99999999',
    ],
    'headers that are too large': [431, `GET /health HTTP/1.1\r\nX-Long: ${'x'.repeat(20_000)}`],
    'a broken address': [422, 'GET /api/v1/users/%zz HTTP/1.1'],
    'no HTTP': [400, 'nonsense'],
    'two hosts': [400, 'GET /health HTTP/1.1\r\nHost: other.example'],
  };
  const always = ['content-security-policy', 'x-content-type-options', 'referrer-policy', 'x-frame-options'];

  it.each(Object.keys(ways))('has the headers of all: to %s', async (kind) => {
    const [status, request] = ways[kind] ?? [0, ''];
    const body = request.includes('Content-Length') ? '{' : '';
    const answer = await exchange(`${request}\r\nHost: shop.example\r\nConnection: close\r\n\r\n${body}`);
    const [head = ''] = answer.split('\r\n\r\n');
    expect(Number(head.split(' ')[1])).toBe(status);
    const names = head.split('\r\n').map((line) => line.split(':')[0]?.toLowerCase());
    expect([...always, 'x-request-id', 'cache-control'].filter((name) => !names.includes(name))).toEqual([]);
    expect(names.filter((name, at) => names.indexOf(name) !== at && name !== 'vary')).toEqual([]);
    if (kind !== 'a missing file of the docs') expect(head).toMatch(/frame-ancestors 'none'/i);
  });
});

describe('A request that names two hosts', () => {
  it.each(['/health', '/api/v1/products/', '/nothing'])('gets a 400 at %s', async (path) => {
    const answer = await exchange(`GET ${path} HTTP/1.1\r\nHost: shop.example\r\nhost: evil.example\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*Connection: close[\s\S]*send a single Host header/);
  });
});

describe('Pages on this machine', () => {
  it.each(['http://localhost:5173', 'http://127.0.0.1:8080', 'http://localhost'])(
    'may call the API from %s outside production',
    async (origin) => {
      for (const path of ['/api/v1/products/', '/api/v1/auth/me']) {
        const { headers } = await service.api.get(path, { headers: { origin } });
        expect(headers.get('access-control-allow-origin')).toBe(origin);
        const exposed = headers.get('access-control-expose-headers')?.split(',');
        expect(exposed).toEqual(
          expect.arrayContaining([
            'ETag',
            'X-Total-Count',
            'X-Similar',
            'x-request-id',
            'Retry-After',
            'WWW-Authenticate',
          ]),
        );
      }
    },
  );

  it.each([
    'https://localhost.evil.example',
    'http://localhost:1:2',
    'http://evil.example',
    'http://127.0.0.1x:80',
    'null',
  ])('are not taken for pages at %s', async (origin) => {
    const { headers } = await service.api.get('/api/v1/products/', { headers: { origin } });
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('GET /metrics', () => {
  // A forwarded request does not come from this machine.
  const elsewhere = { 'x-forwarded-for': '203.0.113.5' };

  it('responds with 401 elsewhere without METRICS_TOKEN', async () => {
    expect((await service.api.get('/metrics', { headers: elsewhere })).status).toBe(401);
    const headers = { ...elsewhere, authorization: 'Bearer scrape-me-every-16-seconds' };
    expect((await service.api.get('/metrics', { headers })).status).toBe(401);
  });

  it('responds with 200 elsewhere with the token, and on this machine without', async () => {
    const headers = { ...elsewhere, authorization: 'Bearer scrape-me-every-15-seconds' };
    expect((await service.api.get('/metrics', { headers })).status).toBe(200);
    expect((await service.api.get('/metrics')).status).toBe(200);
  });

  it('counts unknown methods as one', async () => {
    for (const method of ['PROPFIND', 'LOCK', 'REPORT', 'M-SEARCH']) await service.api.send(method, '/api/v1/cart/');
    const { body } = await service.api.get<string>('/metrics');
    const counted = new Set([...body.matchAll(/_count\{method="([^"]+)"/g)].map(([, method]) => method));
    expect(
      [...counted].filter((method) => !/^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|OTHER)$/.test(method ?? '')),
    ).toEqual([]);
    expect(counted).toContain('OTHER');
  });
});
