import type { Topic } from '../../common/changes/change-bus.js';

/** All testimonials: they are few, and change together. */
export const allTestimonials: Topic = 'testimonials';
