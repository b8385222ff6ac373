import type { INestApplicationContext } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { ModulesContainer } from '@nestjs/core';
import { listRoutes, type Route } from '../auth/route-list.js';
import type { CacheTag } from '../changes/change-bus.js';
import { fieldNamesOf } from '../validation/dto.js';
import type { DtoClass } from '../validation/field-spec.js';
import { validated } from '../validation/validated.js';
import { cacheableKey, type CacheTagsOf } from './cacheable.js';
import { ignoredDecorators, ignoredGlobals } from './ignored-features.js';

type Params = Record<string, string>;
type Query = Record<string, unknown>;

/** Parses the query string of an address. */
export type ParseQuery = (text: string) => Query;

/** An address that leads to a cacheable route. */
export interface PublicRead {
  /** The route's pattern, which metrics name. */
  readonly route: string;
  /** Calls the route's handler. Throws as it does, and `Invalid` where path or query are not valid. */
  compute(): Promise<{ value: unknown; cacheTags: CacheTag[] }>;
}

interface PublicRoute {
  readonly route: string;
  /** Undefined where the route is not cacheable, but takes some addresses of one that is. */
  readonly read: ((params: Params, query: Query) => ReturnType<PublicRead['compute']>) | undefined;
  readonly names: string[];
  readonly pattern: RegExp;
}

/** The routes that carry `@Cacheable()`. */
export function listCacheableRoutes(app: INestApplicationContext): Route[] {
  return listRoutes(app).filter(isCacheable);
}

function isCacheable({ target }: Route): boolean {
  return Reflect.hasMetadata(cacheableKey, target);
}

/** As Express matches it: without case, and with or without a trailing slash. */
function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/\/$/, '').replace(/:\w+/g, '([^/]+)')}/?$`, 'i');
}

/** Nest's metadata of a handler's argument. */
interface Argument {
  index: number;
  data?: unknown;
  pipes?: unknown[];
}

/** The way to read a handler's argument from path and query. */
function argumentReader(
  [place, { index, data, pipes }]: [string, Argument],
  types: unknown[],
  name: string,
): (params: Params, query: Query) => object {
  const kind = Number(place.split(':')[0]) as RouteParamtypes;
  const dto = types[index];
  const isDto = typeof dto === 'function' && fieldNamesOf(dto).size > 0 && data === undefined && !pipes?.length;
  if (isDto && kind === RouteParamtypes.PARAM) return (params) => validated(dto as DtoClass, params, 'path');
  if (isDto && kind === RouteParamtypes.QUERY) return (_, query) => validated(dto as DtoClass, query, 'query');
  throw new Error(`${name} is cacheable and takes something else than the DTOs of its path and query`);
}

function refuseIgnored(handler: string, ignored: string[]): void {
  if (ignored.length === 0) return;
  throw new Error(
    `${handler} is cacheable and asks for ${ignored.join(', ')}, which answers from memory ignore: ` +
      'take @Cacheable() off it, or do without',
  );
}

function readerOf(route: Route): PublicRoute['read'] {
  const { access, handler, instance, methodName, target } = route;
  if (access?.contract !== 'public' || access.hardened !== 'public') {
    throw new Error(`${handler} is cacheable and not public`);
  }
  refuseIgnored(handler, ignoredDecorators(route));
  const places = Reflect.getMetadata(ROUTE_ARGS_METADATA, instance.constructor, methodName) as object | undefined;
  const types = Reflect.getMetadata('design:paramtypes', instance, methodName) as unknown[];
  const readers = Object.entries((places ?? {}) as Record<string, Argument>)
    .sort(([, one], [, other]) => one.index - other.index)
    .map((argument) => argumentReader(argument, types, handler));
  const cacheTagsOf = Reflect.getMetadata(cacheableKey, target) as CacheTagsOf<unknown>;
  const method = target as (...values: object[]) => Promise<unknown>;
  return async (params, query) => {
    const value = await method.apply(
      instance,
      readers.map((read) => read(params, query)),
    );
    return { value, cacheTags: cacheTagsOf(value, params, query) };
  };
}

function publicRoute(route: Route): PublicRoute {
  return {
    route: route.path,
    read: isCacheable(route) ? readerOf(route) : undefined,
    names: [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? ''),
    pattern: patternOf(route.path),
  };
}

/** Matches addresses to cacheable routes, as Express would. */
export class PublicRoutes {
  private readonly routes: PublicRoute[];

  constructor(
    app: INestApplicationContext,
    private readonly parseQuery: ParseQuery,
  ) {
    const reads = listRoutes(app).filter(({ method }) => method === 'GET');
    const cacheable = reads.filter(isCacheable);
    for (const { handler } of cacheable) refuseIgnored(handler, ignoredGlobals(app.get(ModulesContainer)));
    const patterns = cacheable.map(({ path }) => patternOf(path));
    // A route that stands before a cacheable one may take some of its addresses: `users/me` before `users/:user_id`.
    this.routes = reads.filter(({ path }) => patterns.some((pattern) => pattern.test(path))).map(publicRoute);
  }

  /** The read for an address; undefined where Express has to match it. */
  find(url: string): PublicRead | undefined {
    const mark = url.indexOf('?');
    const path = mark < 0 ? url : url.slice(0, mark);
    for (const { pattern, names, route, read } of this.routes) {
      const match = pattern.exec(path);
      if (!match) continue;
      if (!read || url.includes('#')) return undefined;
      return {
        route,
        compute: async () => {
          const values = names.map((name, at) => [name, decodeURIComponent(match[at + 1] ?? '')] as const);
          return read(Object.fromEntries(values), mark < 0 ? {} : this.parseQuery(url.slice(mark + 1)));
        },
      };
    }
    return undefined;
  }
}
