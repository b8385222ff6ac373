import type { reviews as english } from '../en/reviews.js';
import { type Part, told } from '../phrasing/told.js';

export const reviews: typeof english = {
  rating: 'Sterne',
  review: 'Bewertung',
  by: 'Von',
  written: 'Geschrieben',
  itDisappearsFromTheShop:
    'Sie verschwindet aus dem Shop und aus der Gesamtwertung des Produkts. Sie lässt sich nicht wiederherstellen.',
  removeThisReviewOf: (productName: Part) => told`Diese Bewertung von ${productName} entfernen?`,
  theReviewIsRemoved: 'Die Bewertung ist entfernt',
  of5: (rating: Part) => `${rating} von 5`,
  removeTheReviewOf: (productName: Part) => `Bewertung von ${productName} entfernen`,
  reviews: 'Bewertungen',
  allRatings: 'Alle Sterne',
  noReviewHasThisRating: 'Keine Bewertung mit dieser Sternezahl',
  noReviewYet: 'Noch keine Bewertungen',
  noReviewMatches: 'Keine passende Bewertung',
  reviewOf: (productName: Part) => `Bewertung von ${productName}`,
  theReviewOf: (productName: Part) => told`Die Bewertung von ${productName}`,
  picture: 'Bild zur Bewertung',
  showAllReviews: 'Alle Bewertungen anzeigen',
  customersWriteThemInThe: 'Kunden schreiben sie im Shop.',
};
