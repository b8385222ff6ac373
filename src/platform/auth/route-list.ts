import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import type { INestApplicationContext } from '@nestjs/common';
import { accessKey, type AccessMark } from './access.js';

export interface Route {
  method: string;
  path: string;
  /** The parts of its path between the slashes, in lower case. */
  parts: string[];
  /** Undefined if the handler has no access mark. */
  access: AccessMark | undefined;
  handler: string;
  /** The handler function, which carries the metadata of the route's decorators. */
  target: object;
  /** The controller, and the handler's name in it. */
  instance: object;
  methodName: string;
}

/**
 * The address of a route, with a slash at its end where the last of its parts has one: `@Get()` under
 * `@Controller('api/v1/products/')`, as the interface description of the store writes some addresses. Requests are
 * answered with and without it.
 */
function joined(...given: string[]): string {
  const parts = given.filter((part) => part !== '' && part !== '/');
  const path = parts.join('/');
  const trailing = parts.at(-1)?.endsWith('/') ? '/' : '';
  return `/${path}`.replace(/\/{2,}/g, '/').replace(/(.)\/$/, '$1') + trailing;
}

/** The parts of a path between its slashes; a trailing slash makes no difference. */
export function partsOf(path: string): string[] {
  return (path.endsWith('/') ? path.slice(0, -1) : path).split('/');
}

/**
 * The parameters of a path that leads to a route, as Express matches them: without case, and with or without a trailing
 * slash. Null if it leads elsewhere.
 */
export function paramsIn(path: string[], route: Pick<Route, 'parts'>): string[] | null {
  if (path.length !== route.parts.length) return null;
  const params: string[] = [];
  for (const [place, part] of path.entries()) {
    const expected = route.parts[place] ?? '';
    if (expected.startsWith(':')) {
      if (part === '') return null;
      params.push(part);
    } else if (part.toLowerCase() !== expected) return null;
  }
  return params;
}

function pathsOf(target: object): string[] {
  const path = (Reflect.getMetadata(PATH_METADATA, target) ?? '') as string | string[];
  return Array.isArray(path) ? path : [path];
}

/** Every route of the application, as its controllers declare them. */
export function listRoutes(app: INestApplicationContext): Route[] {
  // Without DiscoveryService: an application that only describes itself is never initialized, and has none.
  return routesOf(app.get(ModulesContainer));
}

/** Every route of these modules. */
export function routesOf(modules: ModulesContainer): Route[] {
  const scanner = new MetadataScanner();
  return [...modules.values()]
    .flatMap(({ controllers }) => [...controllers.values()])
    .flatMap(({ instance, metatype }) => {
      const prototype = Object.getPrototypeOf(instance) as Record<string, object>;
      return scanner.getAllMethodNames(prototype).flatMap((name): Route[] => {
        const handler = prototype[name];
        const method = handler && (Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined);
        if (!handler || method === undefined || !metatype) return [];
        const access = Reflect.getMetadata(accessKey, handler) as AccessMark | undefined;
        return pathsOf(metatype).flatMap((prefix) =>
          pathsOf(handler)
            .map((end) => joined(prefix, end))
            .map((path) => ({
              method: RequestMethod[method],
              path,
              parts: partsOf(path.toLowerCase()),
              access,
              handler: `${metatype.name}.${name}`,
              target: handler,
              instance,
              methodName: name,
            })),
        );
      });
    });
}

/** The operations that are open under `contract` and closed under `hardened`. */
export function openWrites(app: INestApplicationContext): Route[] {
  return listRoutes(app).filter(
    ({ access }) => access && access.contract === 'optional' && access.hardened !== 'optional',
  );
}
