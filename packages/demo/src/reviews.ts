import { considered } from './data/shop/reviews/considered.js';
import { deskAndTravelReviews } from './data/shop/reviews/desk-and-travel.js';
import { livingReviews } from './data/shop/reviews/living.js';
import type { ReviewText } from './data/shop/reviews/review-text.js';
import { wearReviews } from './data/shop/reviews/wear.js';

/** All reviews of the demo, each of a group. */
export const reviewTexts: readonly ReviewText[] = [
  ...considered,
  ...wearReviews,
  ...livingReviews,
  ...deskAndTravelReviews,
];
