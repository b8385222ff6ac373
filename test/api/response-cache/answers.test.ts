import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { ApiAnswer } from '../../support/api-client.js';
import { insertUser } from '../../support/accounts.js';
import { insertProduct, insertProducts } from '../../support/goods.js';
import { HeldTransaction } from '../../support/held-transaction.js';
import { statementsOf } from '../../support/statement-count.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const origin = 'https://shop.example';

let app: TestApp;
let product: string;
beforeAll(async () => {
  app = await startTestApp({ env: { RESPONSE_CACHE_MB: '1', CORS_ORIGINS: `${origin},https://admin.example` } });
});
afterAll(() => app.close());
beforeEach(async () => {
  // Nothing expires here: what is cached stays cached, and what is not never was.
  jest.spyOn(performance, 'now').mockReturnValue(1_000);
  product = `/api/v1/products/${await insertProduct(app)}`;
});
afterEach(() => {
  jest.restoreAllMocks();
});

/** Headers that are equal for every response of a kind. */
function headersOf({ headers }: ApiAnswer<unknown>): Record<string, string> {
  const own = new Set(['date', 'x-request-id', 'connection', 'keep-alive']);
  return Object.fromEntries([...headers].filter(([name]) => !own.has(name)));
}

async function figure(name: string): Promise<number> {
  const { body } = await app.api.get<string>('/metrics');
  const line = body.split('\n').find((one) => one.startsWith(`${name} `));
  return Number(line?.split(' ').at(-1));
}

describe('A response from memory', () => {
  it('has the headers of a computed one, and a request id of its own', async () => {
    const computed = await app.api.get(product);
    const kept = await app.api.get(product);
    expect(headersOf(kept)).toEqual(headersOf(computed));
    expect(kept.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
    expect(kept.headers.get('x-request-id')).not.toBe(computed.headers.get('x-request-id'));
    expect(kept.headers.get('date')).not.toBeNull();
    const echoed = await app.api.get(product, { headers: { 'x-request-id': 'mine-1' } });
    expect(echoed.headers.get('x-request-id')).toBe('mine-1');
  });

  it('has the headers of one from Express, and an entity tag', async () => {
    const { etag, 'cache-control': caching, 'content-length': _, ...headers } = headersOf(await app.api.get(product));
    expect([etag, caching]).toEqual([expect.stringMatching(/^"[\w-]{27}"$/), 'no-cache']);
    const other = headersOf(await app.api.get('/api/v1/orders/coupons'));
    const { 'content-length': _other, 'cache-control': otherCaching, 'x-total-count': _count, ...byExpress } = other;
    expect(headers).toEqual(byExpress);
    expect(otherCaching).toBe('no-store');
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  it('is the same for every caller, whatever token they send', async () => {
    await app.api.get(product);
    const { token } = await insertUser(app);
    for (const sent of [token, 'none']) {
      expect(await statementsOf(() => app.api.get(product, { token: sent }))).toEqual([]);
    }
  });

  it.each([
    ['no Origin', undefined, null],
    ['a listed Origin', origin, origin],
    ['another listed Origin', 'https://admin.example', 'https://admin.example'],
    ['an unlisted Origin', 'https://evil.example', null],
  ])('allows %s what a computed one allows', async (_, from, allowed) => {
    await app.api.get(product);
    const headers: Record<string, string> = from === undefined ? {} : { origin: from };
    const first = await app.api.get(product, { headers });
    const second = await app.api.get(product, { headers });
    for (const answer of [first, second]) {
      expect(answer.headers.get('access-control-allow-origin')).toBe(allowed);
      expect(answer.headers.get('vary')).toBe('Origin');
    }
    expect(headersOf(second)).toEqual(headersOf(first));
  });

  it('has the same headers for HEAD', async () => {
    const get = await app.api.get(product);
    const head = await app.api.send('HEAD', product);
    expect([head.status, head.body]).toEqual([200, '']);
    expect(headersOf(head)).toEqual(headersOf(get));
  });

  it('takes one entry for all unlisted origins', async () => {
    await app.api.get(product);
    const before = await figure('response_cache_entries');
    for (let n = 0; n < 20; n++) await app.api.get(product, { headers: { origin: `https://evil-${n}.example` } });
    expect(await figure('response_cache_entries')).toBe(before);
  });

  it('is a 304 with the same tag for a caller who has it', async () => {
    const etag = (await app.api.get(product)).headers.get('etag') ?? '';
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const { status, headers, body } = await app.api.get(product, { headers: { 'if-none-match': tag } });
      expect([status, body, headers.get('etag'), headers.get('content-type')]).toEqual([304, '', etag, null]);
    }
    expect((await app.api.get(product, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
  });

  it('is no longer a 304 once it has changed', async () => {
    const etag = (await app.api.get(product)).headers.get('etag') ?? '';
    await app.api.put(product, { json: { stock: 1 } });
    const { status, headers, body } = await app.api.get(product, { headers: { 'if-none-match': etag } });
    expect([status, body]).toEqual([200, expect.objectContaining({ stock: 1 })]);
    expect(headers.get('etag')).not.toBe(etag);
  });

  it('is counted under its route, and as a hit', async () => {
    const route = `http_request_duration_seconds_count{method="GET",route="/api/v1/products/:product_id",status="200"}`;
    const names = ['response_cache_reads_total{result="hit"}', 'response_cache_reads_total{result="miss"}', route];
    const before = await Promise.all(names.map(figure));
    for (let n = 0; n < 5; n++) await app.api.get(product);
    const after = await Promise.all(names.map(figure));
    expect(after.map((value, index) => value - (before[index] || 0))).toEqual([4, 1, 5]);
  });
});

describe('What is not cached', () => {
  it.each([
    ['a 404', () => '/api/v1/products/999999', 1],
    ['a 422', () => '/api/v1/products/?limit=0', 0],
    ['a route without the mark', () => '/api/v1/orders/coupons', 1],
  ])('is %s', async (_, path, statements) => {
    const entries = await figure('response_cache_entries');
    await app.api.get(path());
    const again = await statementsOf(async () => {
      const { headers } = await app.api.get(path());
      expect(headers.get('etag')).toBeNull();
    });
    expect(again).toHaveLength(statements);
    expect(await figure('response_cache_entries')).toBe(entries);
  });
});

describe('A cold page', () => {
  it('is computed once for fifty concurrent requests', async () => {
    const statements = await statementsOf(async () => {
      const answers = await Promise.all(Array.from({ length: 50 }, () => app.api.get(`${product}?cold`)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    });
    expect(statements).toEqual(['catalogue.by-id']);
  });

  it('is not cached when computed across a change, and requests after the change show it', async () => {
    const stats = `${product.replace('products', 'reviews/product')}/stats`;
    const held = await HeldTransaction.open(app.database, 'LOCK TABLE reviews IN ACCESS EXCLUSIVE MODE');
    const early = app.api.get(stats);
    await held.blocks(1);
    expect((await app.api.put(product, { json: { stock: 7 } })).status).toBe(200);
    const late = app.api.get(stats);
    await held.commit();
    expect((await early).status).toBe(200);
    expect((await late).body).toMatchObject({ stock: 7 });
    expect(await statementsOf(() => app.api.get(stats))).toEqual([]);
  });
});

describe('The memory of cached responses', () => {
  it('stays within RESPONSE_CACHE_MB under hundreds of addresses more than fit', async () => {
    await insertProducts(app, 10);
    const paths = Array.from({ length: 800 }, (_, n) => `/api/v1/products/?limit=10&address=${n}`);
    for (let n = 0; n < paths.length; n += 50) {
      await Promise.all(
        paths.slice(n, n + 50).map((path) => fetch(app.baseUrl + path).then((answer) => answer.arrayBuffer())),
      );
      if (n % 200 === 0) expect(await figure('response_cache_bytes')).toBeLessThanOrEqual(2 ** 20);
    }
    expect(await figure('response_cache_bytes')).toBeLessThanOrEqual(2 ** 20);
    expect(await figure('response_cache_bytes')).toBeGreaterThan(0.8 * 2 ** 20);
    expect(await figure('response_cache_evictions_total')).toBeGreaterThan(300);
  });
});

describe('RESPONSE_CACHE_MB=0', () => {
  it('turns the cache off', async () => {
    const plain = await startTestApp({ env: { RESPONSE_CACHE_MB: '0' } });
    try {
      const path = `/api/v1/products/${await insertProduct(plain)}`;
      const read = () => plain.api.get(path);
      expect(await statementsOf(read)).toEqual(['catalogue.by-id']);
      expect(await statementsOf(read)).toEqual(['catalogue.by-id']);
      expect((await plain.api.get<string>('/metrics')).body).toContain('\nresponse_cache_bytes 0\n');
    } finally {
      await plain.close();
    }
  });
});
