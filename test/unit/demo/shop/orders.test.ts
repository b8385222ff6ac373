import { describe, expect, it } from '@jest/globals';
import { coupons, daysAfter, daysBefore, demoProducts, exhaustedCode, productDates } from '@store-service/demo';
import { couponUses, demoOrders } from '../../../../src/demo/shop/orders.js';
import { demoReviews } from '../../../../src/demo/shop/reviews.js';
import { orderStatuses } from '../../../../src/store/orders/order-status.js';

const now = new Date('2026-03-01T12:00:00.000Z');
const orders = demoOrders(now);

describe('the demo orders', () => {
  it('are the same for the same now and seed', () => {
    expect(demoOrders(now)).toEqual(orders);
  });

  it('differ for another seed', () => {
    expect(demoOrders(now, 2)).not.toEqual(orders);
  });

  it('move along with now, whatever the hour', () => {
    const later = daysAfter(now, 100.37);
    const shifted = demoOrders(later);
    expect(shifted.map(({ lines, status }) => [lines, status])).toEqual(
      orders.map(({ lines, status }) => [lines, status]),
    );
  });

  it('are 150 to 300 over the last six months, oldest first, no two at the same time', () => {
    const moments = orders.map(({ createdAt }) => createdAt.getTime());
    expect(orders.length).toBeGreaterThanOrEqual(150);
    expect(orders.length).toBeLessThanOrEqual(300);
    expect(moments).toEqual([...moments].sort((one, other) => one - other));
    expect(new Set(moments).size).toBe(orders.length);
    expect(moments[0]).toBeGreaterThan(daysBefore(now, 190).getTime());
    expect(moments.at(-1)).toBeLessThan(now.getTime());
  });

  it('have every status', () => {
    expect(new Set(orders.map(({ status }) => status))).toEqual(new Set(orderStatuses));
  });

  it('are mostly completed when old and never when new', () => {
    const old = orders.filter(({ createdAt }) => createdAt < daysBefore(now, 40));
    const recent = orders.filter(({ createdAt }) => createdAt > daysBefore(now, 5));
    expect(old.filter(({ status }) => status === 'completed').length).toBeGreaterThan(old.length * 0.75);
    expect(recent.filter(({ status }) => status === 'completed')).toEqual([]);
  });

  it('have lines with distinct products that were on sale by then, at their price', () => {
    const dates = productDates(now);
    for (const { lines, createdAt } of orders) {
      expect(lines.length).toBeGreaterThanOrEqual(1);
      expect(new Set(lines.map(({ product }) => product)).size).toBe(lines.length);
      for (const { product, priceCents, quantity } of lines) {
        expect(demoProducts.find(({ name }) => name === product)?.priceCents).toBe(priceCents);
        expect(dates.get(product)?.getTime()).toBeLessThan(createdAt.getTime());
        expect(quantity).toBeGreaterThanOrEqual(1);
        expect(quantity).toBeLessThanOrEqual(999);
      }
    }
  });

  it('arrive five days after a standard order, two after an express one, seven after any other', () => {
    const shipped = orders.flatMap(({ shipping, createdAt }) => (shipping ? { ...shipping, createdAt } : []));
    for (const { method, estimatedDelivery, createdAt } of shipped) {
      const days = { standard: 5, express: 2 }[method] ?? 7;
      expect(estimatedDelivery).toEqual(daysAfter(createdAt, days));
    }
    expect(new Set(shipped.map(({ method }) => method)).size).toBe(3);
  });

  it('are shipped, except for a few', () => {
    const without = orders.filter(({ shipping }) => shipping === null);
    expect(without.length).toBeGreaterThan(0);
    expect(without.length).toBeLessThan(orders.length / 5);
  });

  it('are placed by users who had joined', () => {
    for (const { buyer, createdAt } of orders) {
      expect(daysBefore(now, buyer.joinedDaysAgo).getTime()).toBeLessThan(createdAt.getTime());
    }
  });

  it('use coupons only while they are valid', () => {
    for (const { couponCode, createdAt } of orders.filter((order) => order.couponCode !== null)) {
      const coupon = coupons.find(({ code }) => code === couponCode);
      expect(coupon?.isActive).toBe(true);
      expect(daysBefore(now, coupon?.createdDaysAgo ?? 0).getTime()).toBeLessThan(createdAt.getTime());
      const expiry = coupon?.expiresInDays ?? Infinity;
      expect(now.getTime() + expiry * 86_400_000).toBeGreaterThan(createdAt.getTime());
    }
  });

  it('keep to the limit of every coupon, and exhaust one', () => {
    const uses = couponUses(orders);
    for (const { code, maxUses } of coupons) expect(uses.get(code) ?? 0).toBeLessThanOrEqual(maxUses);
    expect(uses.get(exhaustedCode)).toBe(coupons.find(({ code }) => code === exhaustedCode)?.maxUses);
  });
});

describe('couponUses', () => {
  it('does not count a cancelled order', () => {
    const used = orders.filter(({ couponCode, status }) => couponCode === 'WELCOME10' && status !== 'cancelled');
    const [first, ...others] = used;
    if (!first) throw new Error('No order used WELCOME10');
    expect(couponUses(used).get('WELCOME10')).toBe(used.length);
    expect(couponUses([{ ...first, status: 'cancelled' }, ...others]).get('WELCOME10')).toBe(used.length - 1);
  });
});

describe('the demo reviews', () => {
  const reviews = demoReviews(orders, now);

  it('are at least eighty on at least thirty-five groups', () => {
    expect(reviews.length).toBeGreaterThanOrEqual(80);
    expect(new Set(reviews.map(({ product }) => product)).size).toBeGreaterThanOrEqual(35);
  });

  it('are one per user and product, with a rating from 1 to 5', () => {
    expect(new Set(reviews.map(({ product, username }) => `${product} ${username}`)).size).toBe(reviews.length);
    for (const { rating } of reviews) expect([1, 2, 3, 4, 5]).toContain(rating);
  });

  const groups = new Map(demoProducts.map(({ name, group }) => [name, group]));

  it('are by people who had received a product of the group', () => {
    for (const { product, username, createdAt } of reviews) {
      const bought = orders.filter(
        (order) =>
          order.buyer.username === username &&
          ['delivered', 'completed'].includes(order.status) &&
          order.createdAt < createdAt &&
          order.lines.some((line) => groups.get(line.product) === product),
      );
      expect(bought).not.toEqual([]);
      expect(createdAt.getTime()).toBeLessThan(now.getTime());
    }
  });

  it('are oldest first and the same each time', () => {
    const moments = reviews.map(({ createdAt }) => createdAt.getTime());
    expect(moments).toEqual([...moments].sort((one, other) => one - other));
    expect(demoReviews(orders, now)).toEqual(reviews);
  });

  it('are about existing products only', () => {
    const names = new Set(demoProducts.map(({ name }) => name));
    expect(reviews.filter(({ product }) => !names.has(product))).toEqual([]);
  });
});
