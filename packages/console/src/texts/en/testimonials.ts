import { type Part, told } from '../phrasing/told.js';

export const testimonials = {
  rating: 'Rating',
  text: 'Text',
  written: 'Written',
  featured: 'Featured',
  deleteTheTestimonialOf: (name: Part) => told`Delete the testimonial of ${name}?`,
  itCannotBeBroughtBack: 'It cannot be brought back.',
  theTestimonialIsDeleted: 'The testimonial is deleted',
  of5: (rating: Part) => `${rating} of 5`,
  featureTheTestimonialOf: (name: Part) => `Feature the testimonial of ${name}`,
  deleteTheTestimonialOf2: (name: Part) => `Delete the testimonial of ${name}`,
  testimonials: 'Testimonials',
  featuredAlone: 'Featured alone',
  noneIsFeatured: 'None is featured',
  noTestimonialYet: 'No testimonial yet',
  showAllTestimonials: 'Show all testimonials',
  customersWriteThemInThe: 'Customers write them in the shop.',
  isFeatured: (name: Part) => told`The testimonial of ${name} is featured`,
  isNoLongerFeatured: (name: Part) => told`The testimonial of ${name} is no longer featured`,
};
