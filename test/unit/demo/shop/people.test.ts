import { describe, expect, it } from '@jest/globals';
import { coupons } from '../../../../src/demo/data/shop/coupons.js';
import { demoShopper, people } from '../../../../src/demo/data/shop/people.js';
import { demoProducts } from '../../../../src/demo/shop/products.js';
import { testimonials } from '../../../../src/demo/data/shop/testimonials.js';
import { referralCount } from '../../../../src/demo/shop/shop-rows.js';

const usernames = people.map(({ username }) => username);

describe('the demo users', () => {
  it('are a dozen, with usernames that registration accepts', () => {
    expect(people).toHaveLength(12);
    expect(new Set(usernames.map((name) => name.toLowerCase())).size).toBe(12);
    for (const username of usernames) expect(username).toMatch(/^[a-z0-9_.-]{3,50}$/);
  });

  it('keep to the limits of names and bio', () => {
    for (const { firstName, lastName, bio } of people) {
      expect(firstName.length).toBeLessThanOrEqual(100);
      expect(lastName.length).toBeLessThanOrEqual(100);
      expect((bio ?? '').length).toBeLessThanOrEqual(2000);
    }
  });

  it('include the shopper whose password is documented and long enough', () => {
    expect(usernames).toContain(demoShopper.username);
    expect(demoShopper.password).toBe('demo-shopper-1');
    expect(demoShopper.password.length).toBeGreaterThanOrEqual(8);
  });

  it('were referred by users who were there before', () => {
    for (const { referredBy, joinedDaysAgo } of people.filter((person) => person.referredBy !== null)) {
      const referrer = people.find(({ username }) => username === referredBy);
      expect(referrer?.joinedDaysAgo).toBeGreaterThan(joinedDaysAgo);
    }
  });

  it('count as referrals those who named them', () => {
    const counted = usernames.reduce((sum, username) => sum + referralCount(username), 0);
    expect(counted).toBe(people.filter(({ referredBy }) => referredBy !== null).length);
    expect(referralCount('demo')).toBe(2);
  });

  it('have no more in the cart than there is in stock', () => {
    for (const [name, quantity] of people.flatMap(({ cart }) => Object.entries(cart))) {
      const product = demoProducts.find((candidate) => candidate.name === name);
      expect(product?.stock).toBeGreaterThanOrEqual(quantity);
      expect(quantity).toBeGreaterThanOrEqual(1);
    }
  });
});

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

  it('hold a public one without expiry, a private, an expired and an inactive one', () => {
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

describe('the demo testimonials', () => {
  it('are by users and by guests, several of them featured', () => {
    expect(testimonials.filter(({ author }) => 'guest' in author).length).toBeGreaterThanOrEqual(3);
    expect(testimonials.filter(({ author }) => 'username' in author).length).toBeGreaterThanOrEqual(3);
    expect(testimonials.filter(({ isFeatured }) => isFeatured).length).toBeGreaterThanOrEqual(3);
  });

  it('have ratings from 1 to 5 and authors who were users by then', () => {
    for (const { author, rating, daysAgo } of testimonials) {
      expect([1, 2, 3, 4, 5]).toContain(rating);
      if (!('username' in author)) continue;
      const person = people.find(({ username }) => username === author.username);
      expect(person?.joinedDaysAgo).toBeGreaterThan(daysAgo);
    }
  });
});
