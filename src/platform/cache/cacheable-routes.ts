import { parse as parseQuery } from 'node:querystring';
import type { INestApplicationContext } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { ModulesContainer } from '@nestjs/core';
import { listRoutes, paramsIn, partsOf, type Route } from '../auth/route-list.js';
import type { CacheTag } from '../changes/change-bus.js';
import { fieldNamesOf } from '../validation/dto.js';
import type { DtoClass } from '../validation/field-spec.js';
import { validated } from '../validation/validated.js';
import { cacheableKey, type CacheTagsOf } from './cacheable.js';
import { unsupportedDecorators, unsupportedGlobals } from './unsupported-decorators.js';

type Params = Record<string, string>;
type Query = Record<string, unknown>;

/** An address that leads to a cacheable route. */
export interface CacheableRead {
  /** The route's pattern, which metrics name. */
  readonly route: string;
  /** Calls the route's handler. Throws what the handler throws, and `Invalid` for an invalid path or query. */
  compute(): Promise<{ value: unknown; cacheTags: CacheTag[] }>;
}

interface CacheableRoute {
  readonly route: string;
  /** Undefined if the route is not cacheable but matches some addresses of a cacheable one. */
  readonly read: ((params: Params, query: Query) => ReturnType<CacheableRead['compute']>) | undefined;
  readonly names: string[];
  readonly parts: string[];
}

/** The routes that carry `@Cacheable()`. */
export function listCacheableRoutes(app: INestApplicationContext): Route[] {
  return listRoutes(app).filter(isCacheable);
}

function isCacheable({ target }: Route): boolean {
  return Reflect.hasMetadata(cacheableKey, target);
}

/** Nest's metadata of a handler's argument. */
interface Argument {
  index: number;
  data?: unknown;
  pipes?: unknown[];
}

/** Returns how to read a handler's argument from path and query. */
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
  throw new Error(`${name} is cacheable and takes arguments other than its path and query`);
}

function refuseIgnored(handler: string, ignored: string[]): void {
  if (ignored.length === 0) return;
  throw new Error(
    `${handler} is cacheable and asks for ${ignored.join(', ')}, which cached responses ignore: remove ` +
      `@Cacheable() or these decorators`,
  );
}

function readerOf(route: Route): CacheableRoute['read'] {
  const { access, handler, instance, methodName, target } = route;
  if (access?.contract !== 'public' || access.hardened !== 'public') {
    throw new Error(`${handler} is cacheable but not public`);
  }
  refuseIgnored(handler, unsupportedDecorators(route));
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

function publicRoute(route: Route): CacheableRoute {
  return {
    route: route.path,
    read: isCacheable(route) ? readerOf(route) : undefined,
    names: [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? ''),
    parts: route.parts,
  };
}

/** Matches addresses to cacheable routes, as Express would. */
export class CacheableRoutes {
  private readonly routes: CacheableRoute[];

  constructor(app: INestApplicationContext) {
    const reads = listRoutes(app).filter(({ method }) => method === 'GET');
    const cacheable = reads.filter(isCacheable);
    for (const { handler } of cacheable) refuseIgnored(handler, unsupportedGlobals(app.get(ModulesContainer)));
    // A route that before a cacheable one may match some of its addresses: `users/me` before `users/:user_id`.
    this.routes = reads.filter(({ parts }) => cacheable.some((route) => paramsIn(parts, route))).map(publicRoute);
  }

  /** The read for an address; undefined where Express has to match it. */
  find(url: string): CacheableRead | undefined {
    const mark = url.indexOf('?');
    const path = mark < 0 ? url : url.slice(0, mark);
    const parts = partsOf(path);
    for (const one of this.routes) {
      const params = paramsIn(parts, one);
      if (!params) continue;
      const { names, route, read } = one;
      if (!read || url.includes('#')) return undefined;
      return {
        route,
        compute: async () => {
          const values = names.map((name, at) => [name, decodeURIComponent(params[at] ?? '')] as const);
          return read(Object.fromEntries(values), mark < 0 ? {} : parseQuery(url.slice(mark + 1)));
        },
      };
    }
    return undefined;
  }
}
