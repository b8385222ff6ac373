import type { CacheTag } from '../../common/changes/change-bus.js';

/** All testimonials: they are few, and share a tag. */
export const allTestimonials: CacheTag = 'testimonials';
