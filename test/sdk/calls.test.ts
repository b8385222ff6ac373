import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import {
  checkWebhook,
  createStoreClient,
  isWebhookSecret,
  pages,
  ScanKind,
  StoreApiError,
  verifyWebhook,
  wholePages,
} from '../../packages/sdk/src/index.js';
import { answer, FakeService } from './fake-service.js';

const baseUrl = 'http://shop.test';
const retry = { delayMs: 1 };
const products = '/api/v1/products/';
const checkout = '/api/v1/orders/checkout';
const busy = answer(503, { detail: 'Too much is going on', code: 'busy' }, { 'retry-after': '0' });
const lost = new TypeError('fetch failed');
const shipping = { first_name: 'G', last_name: 'M', address: '1 Harbour Street', city: 'Portland', zip_code: '04101' };

function storeOn(answers: ConstructorParameters<typeof FakeService>[0]) {
  const service = new FakeService(answers);
  return { service, store: createStoreClient({ baseUrl, fetch: service.fetch, retry }) };
}

describe('Calls of the SDK', () => {
  it('repeats reads after a lost connection and after temporary failures', async () => {
    const { service, store } = storeOn({ [products]: [lost, busy, answer(200, [{ id: 1 }])] });
    await expect(store.products.list()).resolves.toMatchObject({ data: [{ id: 1 }] });
    expect(service.count(products)).toBe(3);
  });

  it('repeats writes with an Idempotency-Key, with the same body, and no other writes', async () => {
    const { service, store } = storeOn({ [checkout]: [lost, answer(201, { id: 7 })], '/api/v1/cart/add': [busy] });
    const headers = { 'Idempotency-Key': 'order-1' };
    await expect(store.orders.checkout({ body: { shipping }, headers })).resolves.toMatchObject({ data: { id: 7 } });
    const bodies = await Promise.all(service.requests.map((request) => request.json()));
    expect(bodies).toEqual([{ shipping }, { shipping }]);
    await expect(store.cart.add({ body: { product_id: 1, quantity: 1 } })).rejects.toMatchObject({ code: 'busy' });
    expect(service.count('/api/v1/cart/add')).toBe(1);
  });

  it('gives up after three repetitions, and when it would have to wait too long', async () => {
    const { service, store } = storeOn({ [products]: [busy] });
    await expect(store.products.list()).rejects.toMatchObject({ status: 503 });
    expect(service.count(products)).toBe(4);
    const later = storeOn({ [products]: [answer(429, { detail: 'Wait' }, { 'retry-after': '3600' })] });
    await expect(later.store.products.list()).rejects.toMatchObject({ status: 429, retryAfterSeconds: 3600 });
    expect(later.service.count(products)).toBe(1);
  });

  it('stops waiting when it is aborted', async () => {
    const service = new FakeService({ [products]: [busy] });
    const store = createStoreClient({ baseUrl, fetch: service.fetch, retry: { delayMs: 1e7, maxDelayMs: 1e8 } });
    const stop = new AbortController();
    const call = store.products.list({ signal: stop.signal });
    while (service.requests.length === 0) await new Promise(setImmediate);
    stop.abort(new Error('left the page'));
    await expect(call).rejects.toThrow('left the page');
    expect(service.count(products)).toBe(1);
  });

  it('repeats the requests, after the answers, that it is told to, and says how long it waits', async () => {
    const at = new Date(Date.now() - 1_000).toUTCString();
    const limited = answer(429, { detail: 'Too many', code: 'too_many_requests' }, { 'retry-after': at });
    const service = new FakeService({ '/api/v1/cart/add': [limited, answer(200, {})], [products]: [lost] });
    const waits: number[] = [];
    const store = createStoreClient({
      baseUrl,
      fetch: service.fetch,
      retry: {
        ...retry,
        requests: () => true,
        answers: (response) => response?.status === 429,
        onWait: (ms) => waits.push(ms),
      },
    });
    await store.cart.add({ body: { product_id: 1, quantity: 1 } });
    expect([service.count('/api/v1/cart/add'), waits.length]).toEqual([2, 1]);
    expect(waits[0]).toBeLessThan(10); // the date of Retry-After is over
    await expect(store.products.list()).rejects.toThrow(lost);
    expect([service.count(products), waits.length]).toEqual([1, 1]);
  });

  it('throws what `mapError` makes of refusals and lost connections', async () => {
    const service = new FakeService({ [products]: [lost] });
    const mapError = (error: unknown) =>
      error instanceof StoreApiError ? `refused with ${error.status}` : `lost: ${(error as Error).message}`;
    const store = createStoreClient({ baseUrl, fetch: service.fetch, retry: { limit: 0 }, mapError });
    await expect(store.cart.get()).rejects.toBe('refused with 404');
    await expect(store.products.list()).rejects.toBe('lost: fetch failed');
  });

  it('throws an error with status, code, message, request id and fields', async () => {
    const detail = [{ loc: ['body', 'email'], msg: 'Field required', type: 'missing' }];
    const { store } = storeOn({
      '/api/v1/auth/register': [answer(422, { detail }, { 'x-request-id': 'r-1' })],
      '/api/v1/cart/': [new Response('<html>Bad gateway</html>', { status: 500 })],
    });
    const body = { username: 'grace', email: 'g@example.com', password: 'correct-horse-7' };
    const error = await store.auth.register({ body }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StoreApiError);
    expect(error).toMatchObject({ status: 422, requestId: 'r-1', detail: 'body.email: Field required' });
    expect(error).toMatchObject({ fields: [{ field: 'body.email', message: 'Field required', type: 'missing' }] });
    await expect(store.cart.get()).rejects.toMatchObject({ status: 500, detail: 'The service answered 500' });
    const { error: raw } = await store.auth.register({ body, throwOnError: false });
    expect(raw).toEqual({ detail });
  });

  it('iterates over the pages of a listing, fetching each when needed', async () => {
    const page = (ids: string[], nextCursor: string | null) =>
      answer(200, { data: ids.map((id) => ({ id })), nextCursor });
    const { service, store } = storeOn({ '/api/v1/tags': [page(['1', '2'], 'two'), page(['3'], null)] });
    const seen: string[] = [];
    for await (const tag of pages((cursor) => store.tags.list({ query: { size: 2, ...cursor } }))) {
      seen.push(tag.id);
      if (tag.id === '1') expect(service.requests).toHaveLength(1);
    }
    expect(seen).toEqual(['1', '2', '3']);
    expect(service.requests.map(({ url }) => new URL(url).search)).toEqual(['?size=2', '?size=2&cursor=two']);
  });

  it('iterates over whole pages too', async () => {
    const first = { data: [{ id: '1' }, { id: '2' }], nextCursor: 'two' };
    const second = { data: [{ id: '3' }], nextCursor: null };
    const { store } = storeOn({ '/api/v1/tags': [answer(200, first), answer(200, second)] });
    const seen: unknown[] = [];
    for await (const page of wholePages((query) => store.tags.list({ query }))) seen.push(page);
    expect(seen).toEqual([first, second]);
  });

  it('has the values of enums as constants', () => {
    expect(Object.values(ScanKind)).toEqual(expect.arrayContaining(['ASM_DNS', 'FRONTEND_DAST']));
  });

  it('encodes values in paths and queries', async () => {
    const { service, store } = storeOn({});
    const path = { kind: 'general' as const, filename: 'a b/c?.png' };
    await store.uploads.remove({ path }).catch(() => undefined);
    await store.issues.list({ query: { severities: ['HIGH', 'LOW'], search: 'a&b' } }).catch(() => undefined);
    const [remove, list] = service.requests.map(({ url }) => url.slice(baseUrl.length));
    expect(remove).toBe('/api/v1/uploads/general/a%20b%2Fc%3F.png');
    expect(list).toBe('/api/v1/issues?severities=HIGH&severities=LOW&search=a%26b');
  });
});

describe('verifyWebhook', () => {
  const key = Buffer.alloc(24, 7);
  const secret = `whsec_${key.toString('base64')}`;
  const body = JSON.stringify({ trigger: 'ISSUE_FOUND', text: 'Grüße' });

  function signed(by: Buffer, seconds = Math.floor(Date.now() / 1_000)) {
    const mac = createHmac('sha256', by).update(`msg_1.${seconds}.${body}`).digest('base64');
    return { 'webhook-id': 'msg_1', 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${mac}` };
  }

  it('returns the payload of a webhook signed with the secret, even if another signature comes first', async () => {
    await expect(verifyWebhook(body, signed(key), secret)).resolves.toEqual(JSON.parse(body));
    const headers = signed(key);
    const both = `${signed(Buffer.alloc(24, 8))['webhook-signature']} ${headers['webhook-signature']}`;
    await expect(
      verifyWebhook(Buffer.from(body), new Headers({ ...headers, 'webhook-signature': both }), secret),
    ).resolves.toEqual(JSON.parse(body));
  });

  it('finds the headers in any case, and in other implementations of Headers', async () => {
    const headers = signed(key);
    const asWritten = {
      'Webhook-Id': headers['webhook-id'],
      'WEBHOOK-TIMESTAMP': headers['webhook-timestamp'],
      'Webhook-Signature': headers['webhook-signature'],
    };
    await expect(verifyWebhook(body, asWritten, secret)).resolves.toEqual(JSON.parse(body));
    const foreign = { get: (name: string) => new Headers(headers).get(name) };
    await expect(verifyWebhook(body, foreign, secret)).resolves.toEqual(JSON.parse(body));
  });

  it('takes what others signed: the example of Standard Webhooks', async () => {
    const headers = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    };
    const by = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const text = '{"test": 2432232314}';
    const toleranceSeconds = Number.MAX_SAFE_INTEGER;
    await expect(verifyWebhook(text, headers, by, { toleranceSeconds })).resolves.toEqual({ test: 2432232314 });
    await expect(verifyWebhook(text, headers, by)).rejects.toThrow(/^It was signed \d+ s ago, and 300 s are taken$/);
    await expect(verifyWebhook(`${text} `, headers, by, { toleranceSeconds })).rejects.toThrow('the body was changed');
  });

  it('can check the signature of any bytes, and tells secrets from other texts', async () => {
    const bytes = Buffer.from([0xff, 0x00, 0xfe]);
    const seconds = Math.floor(Date.now() / 1_000);
    const mac = createHmac('sha256', key).update(`msg_1.${seconds}.`).update(bytes).digest('base64');
    const headers = { ...signed(key, seconds), 'webhook-signature': `v1,${mac}` };
    await expect(checkWebhook(bytes, headers, secret)).resolves.toBeUndefined();
    await expect(verifyWebhook(bytes, headers, secret)).rejects.toThrow(SyntaxError);
    await expect(checkWebhook(bytes, {}, secret)).rejects.toThrow(
      'It is not signed: webhook-id, webhook-timestamp, webhook-signature are missing',
    );
    expect([secret, secret.slice(6), 'x y', 'whsec_', 'whsec_AAAA'].map(isWebhookSecret)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  const now = Math.floor(Date.now() / 1_000);
  it.each([
    ['by another secret', body, signed(Buffer.alloc(24, 8)), secret],
    ['that was changed', body.replace('ISSUE', 'ASSET'), signed(key), secret],
    ['that is old', body, signed(key, now - 3_600), secret],
    ['from the future', body, signed(key, now + 3_600), secret],
    ['without a signature', body, { ...signed(key), 'webhook-signature': undefined }, secret],
    ['with a signature that is none', body, { ...signed(key), 'webhook-signature': 'v1,§ v2,AAAA v1, x' }, secret],
    ['with a time that is none', body, { ...signed(key), 'webhook-timestamp': '1e9' }, secret],
    ['where the secret is none', body, signed(key), 'whsec_'],
  ])('refuses a webhook %s', async (_, text, headers, by) => {
    await expect(verifyWebhook(text, headers, by)).rejects.toMatchObject({ name: 'WebhookVerificationError' });
  });
});
