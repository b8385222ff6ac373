import type { INestApplicationContext } from '@nestjs/common';
import { listRoutes } from '../auth/route-list.js';
import { cacheableKey } from './cacheable.js';
import type { CacheableRoutes } from './response-cache.js';

/** The routes that carry `@Cacheable()`, found by the paths of requests. */
export function cacheableRoutes(app: INestApplicationContext): CacheableRoutes {
  const patterns = listRoutes(app)
    .filter(({ marks }) => Reflect.hasMetadata(cacheableKey, marks))
    .map(({ path }) => ({
      path,
      pattern: new RegExp(`^${path.replace(/\/$/, '').replace(/:\w+/g, '[^/]+')}/?$`, 'i'),
      literal: !path.includes(':'),
    }))
    .sort((one, other) => Number(other.literal) - Number(one.literal));
  const others = listRoutes(app)
    .filter(
      ({ method, marks, path }) => method === 'GET' && !path.includes(':') && !Reflect.hasMetadata(cacheableKey, marks),
    )
    .map(({ path }) => path.replace(/\/$/, ''));
  const taken = new Set(others);
  return (path) => {
    if (taken.has(path.replace(/\/$/, ''))) return undefined;
    return patterns.find(({ pattern }) => pattern.test(path))?.path;
  };
}
