import type { CacheTag } from '../../common/changes/change-bus.js';

/** All testimonials: they are few, and change together. */
export const allTestimonials: CacheTag = 'testimonials';
