import { describe, expect, it } from '@jest/globals';
import { people } from '../src/data/shop/people.js';
import { testimonials } from '../src/data/shop/testimonials.js';

describe('the demo testimonials', () => {
  it('are by users and by guests, several of them featured', () => {
    expect(testimonials.filter(({ author }) => 'guest' in author).length).toBeGreaterThanOrEqual(3);
    expect(testimonials.filter(({ author }) => 'username' in author).length).toBeGreaterThanOrEqual(3);
    expect(testimonials.filter(({ isFeatured }) => isFeatured).length).toBeGreaterThanOrEqual(3);
  });

  it('have ratings from 1 to 5 and authors who had joined by then', () => {
    for (const { author, rating, daysAgo } of testimonials) {
      expect([1, 2, 3, 4, 5]).toContain(rating);
      if (!('username' in author)) continue;
      const person = people.find(({ username }) => username === author.username);
      expect(person?.joinedDaysAgo).toBeGreaterThan(daysAgo);
    }
  });
});
