import type { CacheTag } from '../common/changes/change-bus.js';

const prefix = 'arrivals:';

/** The cache tag of what arrives for an organization. */
export function arrivalsOf(organizationId: string): CacheTag {
  return `${prefix}${organizationId}`;
}

/** The organization that the cache tag of arrivals names; null for any other. */
export function organizationOfArrivals(tag: CacheTag): string | null {
  return tag.startsWith(prefix) ? tag.slice(prefix.length) : null;
}
