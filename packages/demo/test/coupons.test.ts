import { describe, expect, it } from '@jest/globals';
import { coupons } from '../src/data/shop/coupons.js';

describe('the demo coupons', () => {
  it('keep to the limits of code, percentage and uses', () => {
    expect(new Set(coupons.map(({ code }) => code)).size).toBe(coupons.length);
    for (const { code, discountPercent, maxUses } of coupons) {
      expect(code).toMatch(/^[A-Z0-9-]{3,32}$/);
      expect(discountPercent).toBeGreaterThan(0);
      expect(discountPercent).toBeLessThanOrEqual(100);
      expect(maxUses).toBeGreaterThanOrEqual(1);
    }
  });

  it('include a public one without expiry, a private, an expired and an inactive one', () => {
    expect(coupons).toContainEqual(
      expect.objectContaining({
        code: 'WELCOME10',
        discountPercent: 10,
        expiresInDays: null,
        isPublic: true,
        isActive: true,
      }),
    );
    expect(coupons).toContainEqual(expect.objectContaining({ code: 'VIP25', isPublic: false, isActive: true }));
    expect(coupons.some(({ expiresInDays }) => expiresInDays !== null && expiresInDays < 0)).toBe(true);
    expect(coupons.some(({ expiresInDays, isActive }) => (expiresInDays ?? 0) > 300 && isActive)).toBe(true);
    expect(coupons.some(({ isActive }) => !isActive)).toBe(true);
  });
});
