import {
  EXCEPTION_FILTERS_METADATA,
  GUARDS_METADATA,
  HEADERS_METADATA,
  HTTP_CODE_METADATA,
  INTERCEPTORS_METADATA,
  PIPES_METADATA,
  REDIRECT_METADATA,
  RENDER_METADATA,
  VERSION_METADATA,
} from '@nestjs/common/constants.js';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE, type ModulesContainer } from '@nestjs/core';
import { AccessGuard } from '../auth/access.guard.js';
import type { Route } from '../auth/route-list.js';
import { ErrorFilter } from '../http/error.filter.js';
import { ResponseHeadersInterceptor } from '../http/response-headers.js';
import { DtoValidationPipe } from '../validation/dto-validation.pipe.js';

/** The decorators of Nest that have no effect in front of Express, with their metadata keys. */
const features = {
  '@UseGuards': GUARDS_METADATA,
  '@UseInterceptors': INTERCEPTORS_METADATA,
  '@UsePipes': PIPES_METADATA,
  '@UseFilters': EXCEPTION_FILTERS_METADATA,
  '@Header': HEADERS_METADATA,
  '@HttpCode': HTTP_CODE_METADATA,
  '@Redirect': REDIRECT_METADATA,
  '@Render': RENDER_METADATA,
  '@Version': VERSION_METADATA,
};
const globals = [APP_GUARD, APP_INTERCEPTOR, APP_PIPE, APP_FILTER];

/** The features that the cache listener provides itself. */
const honored = new Set<unknown>([AccessGuard, DtoValidationPipe, ErrorFilter, ResponseHeadersInterceptor, 200]);

function asks(target: object, metadataKey: string): boolean {
  const value = Reflect.getMetadata(metadataKey, target) as unknown;
  return value !== undefined && [value].flat().some((one) => !honored.has(one));
}

/** The decorators of a route, or of its controller, that its cached responses would ignore. */
export function unsupportedDecorators({ target, instance }: Pick<Route, 'target' | 'instance'>): string[] {
  const targets = [target, instance.constructor];
  return Object.entries(features)
    .filter(([, key]) => targets.some((one) => asks(one, key)))
    .map(([decorator]) => decorator);
}

/** The providers for all routes (`APP_GUARD` and its like) that cached responses would ignore. */
export function unsupportedGlobals(modules: ModulesContainer): string[] {
  const providers = [...modules.values()].flatMap((module) => [...module.providers]);
  return providers.flatMap(([token, { metatype, isAlias, inject }]) => {
    const kind = typeof token === 'string' && globals.find((global) => token.startsWith(`${global} `));
    // `useExisting` names the class by its token.
    const provided = (isAlias ? inject?.[0] : metatype) as { name?: string } | null | undefined;
    return kind && !honored.has(provided) ? [`${kind} ${provided?.name ?? ''}`.trim()] : [];
  });
}
