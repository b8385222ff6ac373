import type { INestApplicationContext } from '@nestjs/common';
import { listRoutes, type Route } from '../auth/route-list.js';
import { cacheableKey } from './cacheable.js';

/** Whether a path leads to a route whose answers may be kept. */
export type CacheablePaths = (path: string) => boolean;

/** The routes that carry `@Cacheable()`. */
export function listCacheableRoutes(app: INestApplicationContext): Route[] {
  return listRoutes(app).filter(({ marks }) => Reflect.hasMetadata(cacheableKey, marks));
}

/** As Express reads it: without case, and with or without a slash at its end. */
function patternOf({ path }: Route): string {
  return `${path.replace(/\/$/, '').replace(/:\w+/g, '[^/]+')}/?`;
}

/** The paths of the routes that carry `@Cacheable()`. */
export function cacheablePaths(app: INestApplicationContext): CacheablePaths {
  const patterns = listCacheableRoutes(app).map(patternOf);
  const pattern = new RegExp(`^(${patterns.join('|')})$`, 'i');
  return (path) => pattern.test(path);
}
