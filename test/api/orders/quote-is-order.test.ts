import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { Order } from '../../../src/store/orders/orders.dto.js';
import type { Quote, QuoteProblem } from '../../../src/store/orders/quotes.dto.js';
import { insertAdmin, type InsertedUser, insertUser } from '../../support/accounts.js';
import { checkout } from '../../support/checkout.js';
import { fillCart, insertCoupon, insertProduct } from '../../support/goods.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const methods = [
  { code: 'standard', name: 'Standard', cost: 5.99, days: 5, free_from: 60 },
  { code: 'express', name: 'Express', cost: 12.99, days: 2, free_from: null },
  { code: 'pick-up', name: 'Pick up', cost: 0, days: 0, free_from: null },
  { code: 'bike', name: 'By bike', cost: 3.5, days: 1, free_from: 0.01 },
];
const prices = [0, 0.01, 0.05, 1, 19.99, 49.9, 60, 9_999_999.99];
const coupons = {
  TENTH: { percent: 10 },
  ODD: { percent: 33.33 },
  ALL: { percent: 100 },
  CENT: { percent: 0.01 },
  OFF: { isActive: false },
  PAST: { expiresAt: new Date(0) },
  USED: { maxUses: 1, currentUses: 1 },
};

interface Case {
  /** The price, the quantity and the stock of each line. */
  lines: { price: number; quantity: number; stock: number; isDeleted: boolean }[];
  coupon: string | null;
  shipping: { shipping_method?: string; shipping_cost?: number };
}

const quantity = fc.integer({ min: 1, max: 12 });
const cases = fc.record<Case>({
  lines: fc.array(
    fc.record({
      price: fc.oneof(
        fc.constantFrom(...prices),
        fc.integer({ min: 0, max: 20_000 }).map((cents) => cents / 100),
      ),
      quantity,
      stock: fc.oneof({ weight: 9, arbitrary: fc.constant(999) }, { weight: 1, arbitrary: quantity }),
      isDeleted: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
    }),
    { maxLength: 4 },
  ),
  coupon: fc.option(fc.constantFrom(...Object.keys(coupons), 'tenth', 'NOBODYS')),
  shipping: fc.record(
    {
      shipping_method: fc.constantFrom('standard', 'EXPRESS', 'pick-up', ' bike ', 'drone'),
      shipping_cost: fc.constantFrom(0, 3.5, 5.99, 12.99),
    },
    { requiredKeys: [] },
  ),
});

/** The error by which a checkout was refused, as a quote names it. */
function problemOf(body: unknown): QuoteProblem {
  const { detail, code } = body as { detail: string | { loc: string[]; type: string; msg: string }[]; code?: string };
  if (typeof detail === 'string') return { code: code ?? '', detail, loc: null };
  const [{ loc, type, msg } = { loc: [], type: '', msg: '' }] = detail;
  return { code: type, detail: msg, loc };
}

const figures = ({ subtotal, discount, shipping_cost, total_price }: Quote | Order) => ({
  subtotal,
  discount,
  shipping_cost,
  total_price,
});
const quotedLines = ({ lines }: Quote) =>
  lines.map(({ product_id, name, image_url, quantity: pieces, price }) => [product_id, name, image_url, pieces, price]);
const orderedLines = ({ items }: Order) =>
  items.map(({ product_id, name, image_url, quantity: pieces, price }) => [product_id, name, image_url, pieces, price]);

let app: TestApp;
let user: InsertedUser;

async function setCart({ lines }: Case): Promise<void> {
  user = await insertUser(app);
  for (const { price, quantity: pieces, stock, isDeleted } of lines) {
    const product = await insertProduct(app, { price, stock });
    await fillCart(app, user, [product], pieces);
    if (isDeleted) await app.database.rows('UPDATE products SET deleted_at = now() WHERE id = $1', [product]);
  }
}

describe.each(['contract', 'hardened'])('Under the policy %s', (policy) => {
  beforeAll(async () => {
    app = await startTestApp({ env: { ACCESS_POLICY: policy, QUOTAS: 'coupon-guesses=1000000' } });
    const { token } = await insertAdmin(app);
    await app.api.patch('/api/v1/admin/shop', { token, json: { shipping_methods: methods } });
    for (const [code, choices] of Object.entries(coupons)) {
      await insertCoupon(app, code, { maxUses: 1_000_000, ...choices });
    }
  });
  afterAll(() => app.close());

  it('what a quote says is what the checkout does', async () => {
    const outcomes = { placed: 0, refused: 0 };
    const holds = async (one: Case) => {
      await setCart(one);
      const { coupon, shipping } = one;
      const json = { shipping, coupon_code: coupon };
      const { body: quote } = await app.api.post<Quote>('/api/v1/orders/quote', { token: user.token, json });
      const { status, body: order } = await checkout(app.api, user, { coupon, shipping });
      if (status !== 201) {
        outcomes.refused++;
        expect(quote.problems[0]).toEqual(problemOf(order));
        return;
      }
      outcomes.placed++;
      expect(quote.problems).toEqual([]);
      expect(figures(quote)).toEqual(figures(order));
      expect(quotedLines(quote)).toEqual(orderedLines(order));
      expect(quote.coupon?.code ?? null).toBe(order.coupon_code);
      const listed = quote.shipping_methods.find(({ code }) => code === order.shipping_method);
      if (policy === 'hardened') expect(listed?.quoted_cost).toBe(order.shipping_cost);
    };
    await fc.assert(fc.asyncProperty(cases, holds), { seed: 35, numRuns: 150 });
    expect(Math.min(outcomes.placed, outcomes.refused)).toBeGreaterThan(20);
  });
});
