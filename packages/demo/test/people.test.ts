import { describe, expect, it } from '@jest/globals';
import { demoShopper, people } from '../src/data/shop/people.js';
import { demoProducts } from '../src/products.js';
import { referralCount } from '../../../src/demo/shop/shop-rows.js';

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

  it('were referred by users who had joined before', () => {
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

  it('have no more in the cart than is in stock', () => {
    for (const [name, quantity] of people.flatMap(({ cart }) => Object.entries(cart))) {
      const product = demoProducts.find((candidate) => candidate.name === name);
      expect(product?.stock).toBeGreaterThanOrEqual(quantity);
      expect(quantity).toBeGreaterThanOrEqual(1);
    }
  });
});
