import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ env: { CORS_ORIGINS: 'https://shop.example.com' } });
});
afterAll(() => app.close());

describe('GET /health', () => {
  it('responds with 200 with the state of the database', async () => {
    const { status, body } = await app.api.get('/health');
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'ok', database: 'up', version: '1.0.0' });
  });
});

describe('GET /health/ready', () => {
  it('responds with 200 while the service can serve', async () => {
    expect((await app.api.get('/health/ready')).body).toEqual({ status: 'ready', storage: 'up' });
  });
});

describe('GET /metrics', () => {
  it("shows requests under their route's pattern", async () => {
    await app.api.get('/api/v1/products/123');
    const { status, headers, body } = await app.api.get<string>('/metrics');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(body).toContain(
      'http_request_duration_seconds_count{method="GET",route="/api/v1/products/:product_id",status="404"} 1',
    );
    expect(body).toContain('process_resident_memory_bytes');
  });
});

describe('GET /docs', () => {
  it('serves a page to read and try the API', async () => {
    const page = await request(app.baseUrl)
      .get('/docs')
      .expect(200)
      .expect('Content-Type', /^text\/html/);
    expect(page.text).toContain('Store Service API');
  });

  it('serves the scripts and styles of the page', async () => {
    for (const file of ['swagger-ui.css', 'swagger-ui-bundle.js', 'swagger-ui-init.js']) {
      await request(app.baseUrl).get(`/docs/${file}`).expect(200);
    }
  });
});

describe('Every response', () => {
  it("carries the request's own id if it is valid", async () => {
    const { headers } = await app.api.get('/health', { headers: { 'x-request-id': 'checkout-42' } });
    expect(headers.get('x-request-id')).toBe('checkout-42');
  });

  it('carries a new id if the request has none or an invalid one', async () => {
    for (const given of [undefined, 'a b', 'x'.repeat(200)]) {
      const { headers } = await app.api.get('/nowhere', given ? { headers: { 'x-request-id': given } } : {});
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  it('carries security headers and does not reveal the framework', async () => {
    const { headers } = await app.api.get('/api/v1/products/');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toBe("default-src 'none';frame-ancestors 'none'");
    expect(headers.get('x-powered-by')).toBeNull();
  });

  it('allows listed origins and no others', async () => {
    const ask = async (origin: string) =>
      (await app.api.get('/api/v1/products/', { headers: { origin } })).headers.get('access-control-allow-origin');
    expect(await ask('https://shop.example.com')).toBe('https://shop.example.com');
    expect(await ask('https://evil.example')).not.toBe('https://evil.example');
  });

  it('to an unknown path is a 404 that names the path', async () => {
    const { status, body } = await app.api.get('/api/v2/products');
    expect(status).toBe(404);
    expect(body).toEqual({ detail: expect.stringContaining('GET /api/v2/products'), code: 'not_found' });
  });
});
