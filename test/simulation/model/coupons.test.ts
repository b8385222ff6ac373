import { beforeEach, describe, expect, it } from '@jest/globals';
import { broken, order, Story } from '../story.js';

const admin = { client: 'admin', token: 'admin' };
const lines = [{ product: 5, pieces: 2 }];

let story: Story;
let coupon: Record<string, unknown>;
beforeEach(() => {
  story = new Story();
  coupon = {
    id: 3,
    code: 'TEN',
    discount_percent: 10,
    max_uses: 1,
    current_uses: 0,
    expires_at: '2026-03-02T09:00:00.000Z',
    is_active: true,
    is_public: true,
  };
  story.ask('POST', '/admin/coupons', { ...admin, body: coupon }, 201, coupon);
});

function buy(fields: Record<string, unknown> = {}, id = 1): number {
  const placed = order(id, lines, { discount: 2, coupon_code: 'TEN', created_at: story.now, ...fields });
  return story.ask('POST', '/orders/checkout', { body: { coupon_code: 'ten' } }, 201, placed);
}

function validate(is_valid: boolean): number {
  return story.ask('GET', '/orders/coupons/validate?code=TEN', {}, 200, {
    code: 'TEN',
    is_valid,
    discount_percent: 10,
  });
}

describe('coupons', () => {
  it('take off what they say, as often as they may', async () => {
    validate(true);
    buy();
    story.atEnd('/admin/coupons', [{ ...coupon, current_uses: 1 }]);
    story.atEnd('/admin/orders', [order(1, lines, { discount: 2, coupon_code: 'TEN', created_at: story.now })]);
    expect(broken(await story.judged()).filter(([rule]) => rule.startsWith('coupons'))).toEqual([]);
  });

  it('finds one that was used too often', async () => {
    const n = story.ask('GET', '/admin/coupons', admin, 200, [{ ...coupon, current_uses: 2 }]);
    const violations = await story.judged();
    expect(broken(violations)).toEqual([['coupons/limit', n]]);
    expect(violations[0]!.message).toBe('Coupon TEN may be used 1 times, and was 2 times');
  });

  it('finds one that was used after its end', async () => {
    story.later(2 * 3_600_000);
    const n = buy();
    expect(broken(await story.judged())).toEqual([['coupons/usable', n]]);
  });

  it('finds one that was used when it was off, or gone', async () => {
    story.ask('PUT', '/admin/coupons/3', { ...admin, body: { is_active: false } }, 200, {
      ...coupon,
      is_active: false,
    });
    const off = buy();
    expect(broken(await story.judged())).toEqual([['coupons/usable', off]]);
    story.ask('DELETE', '/admin/coupons/3', admin, 204);
    const gone = buy({}, 2);
    expect(broken(await story.judged())).toEqual([
      ['coupons/usable', off],
      ['coupons/usable', gone],
    ]);
  });

  it('finds a discount of another percentage', async () => {
    const n = buy({ discount: 3 });
    expect(broken(await story.judged())).toEqual([['coupons/discount', n]]);
  });

  it('finds one that was sent and left out', async () => {
    const n = buy({ discount: 0, coupon_code: null });
    expect(broken(await story.judged())).toEqual([['coupons/taken', n]]);
  });

  it('finds a use that was not counted, and one that did not come back', async () => {
    buy();
    const placed = order(1, lines, { discount: 2, coupon_code: 'TEN', created_at: story.now });
    const uses = async (current_uses: number, status: string) => {
      story.atEnd('/admin/coupons', [{ ...coupon, current_uses }]).atEnd('/admin/orders', [{ ...placed, status }]);
      return broken(await story.judged()).filter(([rule]) => rule === 'coupons/uses');
    };
    expect(await uses(1, 'pending')).toEqual([]);
    expect(await uses(0, 'pending')).toEqual([['coupons/uses', undefined]]);
    expect(await uses(0, 'cancelled')).toEqual([]);
    expect(await uses(1, 'cancelled')).toEqual([['coupons/uses', undefined]]);
  });

  it('finds that one which ended is said to be valid', async () => {
    story.later(2 * 3_600_000);
    const n = validate(true);
    expect(broken(await story.judged())).toEqual([['coupons/validate', n]]);
  });
});
