import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DemoDataService } from '../../../src/demo/demo-data.service.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ env: { DEMO_DATA: 'true' } });
  await app.nest.get(DemoDataService).loadOnce();
});
afterAll(() => app.close());

describe('GET /docs', () => {
  it('is a page whose scripts are files of this service, and the only one allowed inline styles', async () => {
    const page = await app.api.get<string>('/docs');
    expect(page.headers.get('content-security-policy')).toMatch(/script-src 'self';.*style-src 'self' 'unsafe-inline'/);
    expect(page.body).not.toMatch(/<script>|<script [^>]*>[^<\s]/);
    for (const path of ['/openapi.json', '/api/v1/products/', '/health', '/nowhere']) {
      const { headers } = await app.api.get(path);
      expect(headers.get('content-security-policy')).not.toContain('unsafe');
    }
  });

  it('opens folded, with a filter, ready to try, and keeps the token over a reload', async () => {
    const { body } = await app.api.get<string>('/docs/swagger-ui-init.js');
    const options = { docExpansion: 'none', filter: true, tryItOutEnabled: true, persistAuthorization: true };
    for (const [name, value] of Object.entries(options)) expect(body).toContain(`"${name}": ${JSON.stringify(value)}`);
  });

  it("names the demo's login and existing ids", async () => {
    const { body } = await app.api.get<string>('/docs/swagger-ui-init.js');
    expect(body).toContain('`demo` with the password `demo-shopper-1`');
    const [asset] = await app.database.rows<{ id: string }>('SELECT id FROM assets ORDER BY created_at DESC LIMIT 1');
    expect(body).toContain(asset?.id);
  });
});

describe('GET /docs in production', () => {
  const production = {
    NODE_ENV: 'production',
    ACCESS_POLICY: 'hardened',
    JWT_SECRET: 'j'.repeat(32),
    ENCRYPTION_KEY: 'ab'.repeat(32),
  };

  it('is there with DOCS=true alone, and the interface description always', async () => {
    const statuses = await Promise.all(
      [undefined, 'true'].map(async (DOCS) => {
        const env: Record<string, string> = { ...production, ...(DOCS === undefined ? {} : { DOCS }) };
        const node = await startTestApp({ env });
        const paths = ['/docs', '/docs/swagger-ui-init.js', '/openapi.json'];
        const all = await Promise.all(paths.map(async (path) => (await node.api.get(path)).status));
        await node.close();
        return all;
      }),
    );
    expect(statuses).toEqual([
      [404, 404, 200],
      [200, 200, 200],
    ]);
  });
});

describe('GET /openapi.json', () => {
  it('is served with an entity tag, and not sent again to who has it', async () => {
    const first = await app.api.get('/openapi.json');
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]+"$/);
    const again = await app.api.get('/openapi.json', { headers: { 'if-none-match': etag } });
    expect([again.status, again.headers.get('etag')]).toEqual([304, etag]);
    expect((await app.api.get('/openapi.json', { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
    expect((await app.api.send('POST', '/openapi.json')).status).toBe(404);
  });

  it('names no login and no ids of the database without demo data', async () => {
    const bare = await startTestApp();
    const { body } = await bare.api.get<{ info: { description: string } }>('/openapi.json');
    await bare.close();
    expect(body.info.description).not.toContain('demo-shopper-1');
    // A template's own fields have blanks beside their names.
    expect(JSON.stringify(body)).not.toMatch(/\{\{\S/);
  });

  it('is served when its examples cannot be looked up', async () => {
    await app.database.rows('ALTER TABLE service_state RENAME TO service_state_away');
    expect((await app.api.get('/openapi.json')).status).toBe(200);
    await app.database.rows('ALTER TABLE service_state_away RENAME TO service_state');
  });
});
