import type { DemoOrder } from './orders.js';
import { between, type Random, seededRandom } from './random.js';
import { deskAndOutdoorReviews } from './reviews/desk-and-outdoor.js';
import { livingReviews } from './reviews/living.js';
import type { ReviewText } from './reviews/review-text.js';
import { wearReviews } from './reviews/wear.js';
import { daysAfter } from './time.js';

/** One review of the demo. */
export interface DemoReview extends ReviewText {
  username: string;
  createdAt: Date;
}

/** A buyer who has the product in hands, and since when. */
interface Owner {
  username: string;
  since: Date;
}

const reviewTexts = [...wearReviews, ...livingReviews, ...deskAndOutdoorReviews];

/**
 * Gives each review's text to somebody who has received the product in one of these orders, oldest review first.
 * One person reviews a product once; a text that finds no buyer is left out.
 */
export function demoReviews(orders: readonly DemoOrder[], now: Date, seed = 1): DemoReview[] {
  const random = seededRandom(seed);
  const owners = ownersByProduct(orders);
  const reviews = reviewTexts.flatMap((text) => {
    const owner = owners.get(text.product)?.shift();
    return owner ? [{ ...text, username: owner.username, createdAt: reviewDate(random, owner.since, now) }] : [];
  });
  return reviews.sort((one, other) => one.createdAt.getTime() - other.createdAt.getTime());
}

function ownersByProduct(orders: readonly DemoOrder[]): Map<string, Owner[]> {
  const owners = new Map<string, Owner[]>();
  const received = orders.filter(({ status }) => status === 'delivered' || status === 'completed');
  for (const { buyer, lines, createdAt } of received) {
    for (const { product } of lines) {
      const known = owners.get(product) ?? [];
      if (!known.some(({ username }) => username === buyer.username)) {
        known.push({ username: buyer.username, since: createdAt });
      }
      owners.set(product, known);
    }
  }
  return owners;
}

function reviewDate(random: Random, since: Date, now: Date): Date {
  const wished = daysAfter(since, between(random, 8, 30) + random());
  return wished < now ? wished : new Date(since.getTime() + Math.floor((now.getTime() - since.getTime()) * 0.9));
}
