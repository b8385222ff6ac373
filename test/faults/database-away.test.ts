import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let way: TcpProxy;
beforeAll(async () => {
  app = await startTestApp({
    env: { RESPONSE_CACHE_MB: '0' },
    reachDatabase: async (url) => {
      const reached = new URL(url);
      way = await startTcpProxy(Number(reached.port));
      reached.port = String(way.port);
      return reached.href;
    },
  });
});
afterAll(async () => {
  await app.close();
  await way.cut();
});

afterEach(async () => {
  await way.mend();
  await app.database.rows('DROP FUNCTION IF EXISTS find_no_room CASCADE');
  await eventually(200, '/api/v1/products/');
});

async function eventually(status: number, path: string): Promise<void> {
  for (let attempt = 0; attempt < 50; attempt++) {
    if ((await app.api.get(path)).status === status) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  expect((await app.api.get(path)).status).toBe(status);
}

describe('While the database is away', () => {
  it('requests get a 503 that says what to do, until it comes back without a restart', async () => {
    expect((await app.api.get('/api/v1/products/')).status).toBe(200);

    await way.cut();
    const away = await app.api.get('/api/v1/products/');
    expect(away.status).toBe(503);
    expect(away.body).toEqual({
      detail: 'The database cannot be reached at the moment: try again in a few seconds',
      code: 'database_unavailable',
    });
    expect(away.headers.get('retry-after')).toBe('2');
    expect((await app.api.post('/api/v1/products/', { json: { name: 'Lost', price: 1, stock: 1 } })).status).toBe(503);
    expect((await app.api.get('/health')).body).toMatchObject({ status: 'degraded', database: 'down' });
    expect((await app.api.get('/health/ready')).status).toBe(503);

    await way.mend();
    await eventually(200, '/api/v1/products/');
    expect((await app.api.get('/health')).body).toMatchObject({ status: 'ok', database: 'up' });
    expect((await app.api.get('/health/ready')).status).toBe(200);
  });

  it('in the middle of fifty requests, none hangs or gets a 500', async () => {
    const asked = Array.from({ length: 50 }, (_, n) =>
      n % 2
        ? app.api.get('/api/v1/products/')
        : app.api.post('/api/v1/products/', { json: { name: `Cut ${n}`, price: 1, stock: 1 } }),
    );
    await way.cut();
    const statuses = new Set((await Promise.all(asked)).map(({ status }) => status));
    await way.mend();
    for (const status of statuses) expect([200, 201, 503]).toContain(status);
    await eventually(200, '/api/v1/products/');
  });
});

describe('A database without room', () => {
  it.each(['53100', '53200', '58030'])(
    'responds to writes with a 503 that says what to do (%s), and serves reads',
    async (code) => {
      await app.database.rows(
        `CREATE FUNCTION find_no_room() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN RAISE 'could not extend file: No space left on device' USING ERRCODE = '${code}'; END $$;
       CREATE TRIGGER no_room BEFORE INSERT ON products FOR EACH STATEMENT EXECUTE FUNCTION find_no_room()`,
      );
      const json = { name: `Too much ${code}`, price: 1, stock: 1 };
      const { status, body, headers } = await app.api.post('/api/v1/products/', { json });
      expect([status, headers.get('retry-after')]).toEqual([503, '30']);
      expect(body).toEqual({
        detail: 'The database is out of disk space or memory at the moment, and nothing was changed: try again later',
        code: 'database_unavailable',
      });
      expect((await app.api.get('/api/v1/products/')).status).toBe(200);
      await app.database.rows('DROP FUNCTION find_no_room CASCADE');
      expect((await app.api.post('/api/v1/products/', { json })).status).toBe(201);
    },
  );
});
