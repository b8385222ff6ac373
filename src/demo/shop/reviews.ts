import {
  between,
  daysAfter,
  demoProducts,
  named,
  type Random,
  type ReviewText,
  reviewTexts,
  seededRandom,
} from '@store-service/demo';
import type { DemoOrder } from './orders.js';

/** One review of the demo. */
export interface DemoReview extends ReviewText {
  username: string;
  createdAt: Date;
}

/** Someone who received a product of the group, and when they ordered it. */
interface Owner {
  username: string;
  since: Date;
}

/**
 * Gives each review's text to a buyer who received a product of its group in one of these orders. Oldest review first. A buyer
 * reviews a product once; a text without a buyer is omitted.
 */
export function demoReviews(orders: readonly DemoOrder[], now: Date, seed = 1): DemoReview[] {
  const random = seededRandom(seed);
  const owners = ownersByGroup(orders);
  const reviews = reviewTexts.flatMap((text) => {
    const owner = owners.get(text.product)?.shift();
    return owner ? [{ ...text, username: owner.username, createdAt: reviewDate(random, owner.since, now) }] : [];
  });
  return reviews.sort((one, other) => one.createdAt.getTime() - other.createdAt.getTime());
}

function ownersByGroup(orders: readonly DemoOrder[]): Map<string, Owner[]> {
  const groups = new Map(demoProducts.map(({ name, group }) => [name, group]));
  const owners = new Map<string, Owner[]>();
  const received = orders.filter(({ status }) => status === 'delivered' || status === 'completed');
  for (const { buyer, lines, createdAt } of received) {
    for (const { product } of lines) {
      const group = named(groups, product);
      const known = owners.get(group) ?? [];
      if (!known.some(({ username }) => username === buyer.username)) {
        known.push({ username: buyer.username, since: createdAt });
      }
      owners.set(group, known);
    }
  }
  return owners;
}

function reviewDate(random: Random, since: Date, now: Date): Date {
  const wanted = daysAfter(since, between(random, 8, 30) + random());
  return wanted < now ? wanted : new Date(since.getTime() + Math.floor((now.getTime() - since.getTime()) * 0.9));
}
