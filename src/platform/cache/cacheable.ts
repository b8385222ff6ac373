import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import type { CacheTag } from '../changes/change-bus.js';

/** The cache tags of an answer, given the answer and the path and query parameters as they were sent. */
export type CacheTagsOf<Answer> = (
  answer: Answer,
  params: Record<string, string>,
  query: Record<string, unknown>,
) => CacheTag[];

export const cacheableKey = Symbol('cacheable');

/**
 * Serves a public GET in front of Express, and keeps the answer in memory until something that it depends on changes. The
 * handler takes only DTOs of the path and the query, and its answer depends on nothing but these and the tags of
 * `cacheTagsOf`: not on the caller, a header or the clock. Guards, interceptors, pipes, filters, headers and other statuses
 * than 200 would have no effect, so the start refuses a route that has any.
 */
export function Cacheable<Answer>(cacheTagsOf: CacheTagsOf<Answer>): MethodDecorator {
  return applyDecorators(
    SetMetadata(cacheableKey, cacheTagsOf),
    ApiResponse({ status: 304, description: 'Not modified: the caller has this answer, as If-None-Match says' }),
  );
}
