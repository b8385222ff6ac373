import type { CacheTag } from '../../platform/changes/change-bus.js';

/** All testimonials: they are few, and share a tag. */
export const allTestimonials: CacheTag = 'testimonials';
