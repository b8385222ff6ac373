import type { ReviewText } from './review-text.js';

/** What buyers say about things for the desk and the road. */
export const deskAndTravelReviews: ReviewText[] = [
  {
    product: 'Dotted Notebook',
    rating: 5,
    title: 'Fountain-pen friendly',
    content: 'No bleeding, no feathering, numbered pages. I am on my third.',
  },
  { product: 'Dotted Notebook', rating: 4, title: 'Lies flat', content: 'Would love a second ribbon.' },
  {
    product: 'Brass-Clip Fountain Pen',
    rating: 5,
    title: 'Starts every time',
    content: 'Light, smooth, and the converter is in the box.',
  },
  { product: 'Felt Laptop Sleeve', rating: 4, title: 'Thick felt', content: 'Protects well. Picks up a little lint.' },
  {
    product: 'Insulated Water Bottle',
    rating: 5,
    title: 'Ice after twelve hours',
    content: 'Left it in a hot car, and the ice was still there.',
  },
  {
    product: 'Insulated Water Bottle',
    rating: 5,
    title: 'Does not leak',
    content: 'It lies in my bag next to the laptop. I trust it.',
  },
  {
    product: 'Insulated Water Bottle',
    rating: 3,
    title: 'Paint chips',
    content: 'Keeps tea hot, but the paint chips when dropped.',
  },
  { product: 'Windproof Umbrella', rating: 5, title: 'Did not flip once', content: 'And that on the seafront.' },
  { product: 'Windproof Umbrella', rating: 4, title: null, content: 'Sturdy and a little heavy.' },
];
