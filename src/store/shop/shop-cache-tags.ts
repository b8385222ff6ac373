import type { CacheTag } from '../../platform/changes/change-bus.js';

/** What the shop says about itself, with its shipping methods. */
export const shopItself: CacheTag = 'shop';
