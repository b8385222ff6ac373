import type { testimonials as english } from '../en/testimonials.js';
import { type Part, told } from '../phrasing/told.js';

export const testimonials: typeof english = {
  rating: 'Sterne',
  text: 'Text',
  written: 'Geschrieben',
  featured: 'Hervorgehoben',
  deleteTheTestimonialOf: (name: Part) => told`Kundenstimme von ${name} löschen?`,
  itCannotBeBroughtBack: 'Sie lässt sich nicht wiederherstellen.',
  theTestimonialIsDeleted: 'Die Kundenstimme ist gelöscht',
  of5: (rating: Part) => `${rating} von 5`,
  featureTheTestimonialOf: (name: Part) => `Kundenstimme von ${name} hervorheben`,
  deleteTheTestimonialOf2: (name: Part) => `Kundenstimme von ${name} löschen`,
  testimonials: 'Kundenstimmen',
  featuredAlone: 'Nur hervorgehobene',
  noneIsFeatured: 'Keine ist hervorgehoben',
  noTestimonialYet: 'Noch keine Kundenstimmen',
  noTestimonialMatches: 'Keine passende Kundenstimme',
  testimonialOf: (name: Part) => `Kundenstimme von ${name}`,
  theTestimonialOf: (name: Part) => told`Die Kundenstimme von ${name}`,
  by: 'Von',
  showAllTestimonials: 'Alle Kundenstimmen anzeigen',
  customersWriteThemInThe: 'Kunden schreiben sie im Shop.',
  isFeatured: (name: Part) => told`Die Kundenstimme von ${name} ist hervorgehoben`,
  isNoLongerFeatured: (name: Part) => told`Die Kundenstimme von ${name} ist nicht mehr hervorgehoben`,
};
