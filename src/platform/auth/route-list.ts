import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import type { INestApplicationContext } from '@nestjs/common';
import { accessKey, type AccessMark } from './access.js';

export interface Route {
  method: string;
  path: string;
  /** The paths that lead to it, as Express matches them: without case, and with or without a trailing slash. */
  pattern: RegExp;
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

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/\/$/, '').replace(/:\w+/g, '([^/]+)')}/?$`, 'i');
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
              pattern: patternOf(path),
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
