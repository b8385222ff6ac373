import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import type { CacheTag } from '../changes/change-bus.js';

/** What an answer depends on, told by the answer and the values of the address's path and query, as they were sent. */
export type CacheTagsOf<Answer> = (
  answer: Answer,
  params: Record<string, string>,
  query: Record<string, unknown>,
) => CacheTag[];

export const cacheableKey = Symbol('cacheable');

/**
 * Has a public GET answered in front of Express, and its answers kept in memory until something that they depend on
 * changes. The handler takes shapes of the path and the query alone, and the answer depends on nothing but these and
 * what `cacheTagsOf` names: not on the caller, a header or the clock.
 */
export function Cacheable<Answer>(cacheTagsOf: CacheTagsOf<Answer>): MethodDecorator {
  return applyDecorators(
    SetMetadata(cacheableKey, cacheTagsOf),
    ApiResponse({ status: 304, description: 'Not modified: the caller has this answer, as If-None-Match says' }),
  );
}
