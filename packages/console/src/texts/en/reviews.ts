import { type Part, told } from '../phrasing/told.js';

export const reviews = {
  rating: 'Rating',
  review: 'Review',
  by: 'By',
  written: 'Written',
  itDisappearsFromTheShop: 'It disappears from the shop and from the product’s rating. It cannot be brought back.',
  removeThisReviewOf: (productName: Part) => told`Remove this review of ${productName}?`,
  theReviewIsRemoved: 'The review is removed',
  of5: (rating: Part) => `${rating} of 5`,
  removeTheReviewOf: (productName: Part) => `Remove the review of ${productName}`,
  reviews: 'Reviews',
  allRatings: 'All ratings',
  noReviewHasThisRating: 'No review has this rating',
  noReviewYet: 'No review yet',
  noReviewMatches: 'No review matches',
  reviewOf: (productName: Part) => `Review of ${productName}`,
  theReviewOf: (productName: Part) => told`The review of ${productName}`,
  picture: 'Picture with the review',
  showAllReviews: 'Show all reviews',
  customersWriteThemInThe: 'Customers write them in the shop.',
};
