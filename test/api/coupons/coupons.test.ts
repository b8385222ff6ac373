import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CouponInfo, CouponResponse } from '../../../src/store/coupons/coupons.dto.js';
import { insertCoupon } from '../../support/goods.js';
import { statementsOf } from '../../support/statement-count.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const yesterday = new Date(Date.now() - 86_400_000);
const tomorrow = new Date(Date.now() + 86_400_000);

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const list = async () => (await app.api.get<CouponInfo[]>('/api/v1/orders/coupons')).body;
const validate = (code: string) =>
  app.api.get<CouponResponse>(`/api/v1/orders/coupons/validate?code=${encodeURIComponent(code)}`);

describe('GET /api/v1/orders/coupons', () => {
  it('returns the coupons that everybody can use now, newest first', async () => {
    await insertCoupon(app, 'FIRST', { percent: 12.5, maxUses: 7, currentUses: 2 });
    await insertCoupon(app, 'SECOND', { expiresAt: tomorrow });
    const coupons = await list();
    expect(coupons.map(({ code }) => code)).toEqual(['SECOND', 'FIRST']);
    expect(coupons[0]?.expires_at).toBe(tomorrow.toISOString());
    expect(coupons[1]).toEqual({
      id: expect.any(Number),
      code: 'FIRST',
      discount_percent: 12.5,
      max_uses: 7,
      current_uses: 2,
      expires_at: null,
      is_active: true,
      is_public: true,
    });
  });

  it.each([
    ['inactive', { isActive: false }],
    ['hidden', { isPublic: false }],
    ['expired', { expiresAt: yesterday }],
    ['used up', { maxUses: 3, currentUses: 3 }],
  ])('leaves out %s coupons', async (reason, choices) => {
    const code = `NOT-${reason.replaceAll(' ', '-').toUpperCase()}`;
    await insertCoupon(app, code, choices);
    expect((await list()).map((coupon) => coupon.code)).not.toContain(code);
  });

  it('takes one statement', async () => {
    expect(await statementsOf(list)).toEqual(['coupons.available']);
  });
});

describe('GET /api/v1/orders/coupons/validate', () => {
  it('returns is_valid for a usable coupon, whatever the case of its code', async () => {
    await insertCoupon(app, 'SPRING-20', { percent: 20 });
    const { status, body } = await validate('spring-20');
    expect(status).toBe(200);
    expect(body).toEqual({
      code: 'SPRING-20',
      discount_percent: 20,
      is_valid: true,
      message: 'The coupon takes 20% off the goods',
    });
  });

  it('knows a hidden coupon', async () => {
    await insertCoupon(app, 'WHISPERED', { isPublic: false });
    expect((await validate('WHISPERED')).body.is_valid).toBe(true);
  });

  it.each([
    ['INACTIVE', { isActive: false }, 'The coupon INACTIVE is not active'],
    ['EXPIRED', { expiresAt: yesterday }, 'The coupon EXPIRED has expired'],
    ['USED-UP', { maxUses: 1, currentUses: 1 }, 'The coupon USED-UP has been used up'],
  ])('responds with 200 and the reason why %s cannot be used', async (code, choices, message) => {
    await insertCoupon(app, code, choices);
    const { status, body } = await validate(code);
    expect(status).toBe(200);
    expect(body).toEqual({ code, discount_percent: 10, is_valid: false, message });
  });

  it.each(['NO-SUCH', '', 'ß', "'; DROP TABLE coupons; --", 'x'.repeat(255)])(
    'responds with 200 for the unknown code %j',
    async (code) => {
      const { status, body } = await validate(code);
      expect(status).toBe(200);
      expect(body).toEqual({
        code,
        discount_percent: 0,
        is_valid: false,
        message: 'There is no coupon with this code',
      });
    },
  );

  it.each([
    ['', 'missing'],
    [`?code=${'x'.repeat(256)}`, 'string_too_long'],
    ['?code=a%00b', 'string_unicode'],
  ])('responds with 422 for the query "%s"', async (query, type) => {
    const { status, body } = await app.api.get(`/api/v1/orders/coupons/validate${query}`);
    expect(status).toBe(422);
    expect(body).toMatchObject({ detail: [{ loc: ['query', 'code'], type }] });
  });
});
