import type { CacheTag } from '../platform/changes/change-bus.js';

const prefix = 'arrivals:';

/** The cache tag for the arrivals of an organization. */
export function arrivalsOf(organizationId: string): CacheTag {
  return `${prefix}${organizationId}`;
}

/** The organization of a cache tag for arrivals; null for any other tag. */
export function organizationOfArrivals(tag: CacheTag): string | null {
  return tag.startsWith(prefix) ? tag.slice(prefix.length) : null;
}
