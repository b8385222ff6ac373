import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { CouponResponse } from '../../../src/store/coupons/coupons.dto.js';
import { insertUser, type InsertedUser } from '../../support/accounts.js';
import type { ApiClient } from '../../support/api-client.js';
import { addToCart, insertCoupon, insertProduct } from '../../support/goods.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const limit = 5;
let app: TestApp;
let nodes: ApiClient[];
beforeAll(async () => {
  app = await startTestApp({ env: { TRUST_PROXY: '1', QUOTAS: `coupon-guesses=${limit}` } });
  nodes = [app.api, (await app.anotherNode()).api];
  await insertCoupon(app, 'REAL-1');
});
afterAll(() => app.close());

let addresses = 0;
let address: string;
beforeEach(() => {
  address = `198.51.100.${++addresses}`;
});

function look(code: string, node = 0, from = address) {
  const api = nodes[node] ?? app.api;
  return api.get<CouponResponse>(`/api/v1/orders/coupons/validate?code=${code}`, {
    headers: { 'x-forwarded-for': from },
  });
}

async function statuses(answers: Promise<{ status: number }>[]): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (const { status } of await Promise.all(answers)) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

describe('GET /api/v1/orders/coupons/validate, again and again', () => {
  it('checks five wrong codes of thirty concurrent ones on two nodes, then responds with 429, to right codes too', async () => {
    const all = Array.from({ length: 30 }, (_, n) => look(`WRONG-${n}`, n % 2));
    expect(await statuses(all)).toEqual({ 200: limit, 429: 30 - limit });
    const { status, body, headers } = await look('REAL-1');
    expect(status).toBe(429);
    expect(body).toMatchObject({
      code: 'rate_exceeded',
      detail: expect.stringContaining('The limit of 5 wrong coupon codes of one address or user in an hour is reached'),
    });
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(3_000);
    expect(headers.get('ratelimit-policy')).toBe('"coupon-guesses";q=5;w=3600');
    expect((await look('REAL-1', 0, '203.0.113.9')).status).toBe(200);
  });

  it('does not count codes that exist', async () => {
    for (let time = 0; time < limit * 3; time++) expect((await look('real-1')).status).toBe(200);
    for (let time = 0; time < limit; time++) expect((await look('WRONG')).status).toBe(200);
    expect((await look('WRONG')).status).toBe(429);
  });

  it('counts as one those whom a proxy does not name', async () => {
    const own = () => app.api.get('/api/v1/orders/coupons/validate?code=WRONG');
    expect(await statuses(Array.from({ length: 20 }, own))).toEqual({ 200: limit, 429: 20 - limit });
  });
});

describe('POST /api/v1/orders/checkout with wrong coupons, again and again', () => {
  const shipping = { first_name: 'G', last_name: 'M', address: '1 Street', city: 'Portland', zip_code: '04101' };
  let maria: InsertedUser;
  beforeEach(async () => {
    maria = await insertUser(app);
    await addToCart(app, maria, await insertProduct(app));
  });

  function checkout(coupon_code?: string, api = app.api) {
    return api.post('/api/v1/orders/checkout', { token: maria.token, json: { shipping, coupon_code } });
  }

  it('responds with 400 five times of twelve concurrent ones, then with 429, and still accepts orders without a coupon', async () => {
    const all = Array.from({ length: 12 }, (_, n) => checkout(`WRONG-${n}`, nodes[n % 2]));
    expect(await statuses(all)).toEqual({ 400: limit, 429: 12 - limit });
    const { status, headers } = await checkout('REAL-1');
    expect(status).toBe(429);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(3_000);
    expect((await checkout()).status).toBe(201);
  });
});
