import type { ExecutionContext, INestApplicationContext, ParamData, Type } from '@nestjs/common';
import { HTTP_CODE_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { ModulesContainer } from '@nestjs/core';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import type { Request, Response } from 'express';
import { recentLoginKey } from '../auth/recent-login.js';
import { listRoutes, type Route } from '../auth/route-list.js';
import { ignoredDecorators, ignoredGlobals } from '../public-reads/ignored-features.js';
import { ContractPipe } from '../validation/contract.pipe.js';
import { directKey } from './direct.js';

/** A request and its response, with the properties that Express adds. */
export interface Exchange {
  readonly request: Request;
  readonly response: Response;
}

/** A route that requests reach without Express and Nest. */
export interface DirectRoute {
  /** The route's pattern, which metrics name. */
  readonly path: string;
  readonly readsBody: boolean;
  /** Of a response that is no error. */
  readonly status: number;
  /** Calls the handler. Throws as it does, and `Invalid` where the body does not have its shape. */
  handle(exchange: Exchange, body: unknown): Promise<unknown>;
}

/** Nest's metadata of a handler's argument; the factory is that of a decorator made by `createParamDecorator`. */
interface Argument {
  index: number;
  data?: ParamData;
  pipes?: unknown[];
  factory?: (data: unknown, context: ExecutionContext) => unknown;
}

type ReadArgument = (context: ExecutionContext, body: unknown) => unknown;

const methodsWithBody = new Set(['POST', 'PUT', 'PATCH']);

function argumentReader([place, argument]: [string, Argument], types: Type[], route: Route): ReadArgument {
  const { index, data, pipes, factory } = argument;
  const plain = data === undefined && !pipes?.length;
  if (factory && plain) return (context) => factory(undefined, context);
  const pipe = new ContractPipe();
  const metatype = types[index];
  const isBody = place.startsWith(`${RouteParamtypes.BODY}:`);
  if (isBody && plain && metatype) return (_, body) => pipe.transform(body, { type: 'body', metatype });
  throw new Error(`${route.handler} is direct and takes something else than a body and what decorators of ours find`);
}

function directRoute(route: Route, globals: string[]): DirectRoute {
  const { method, path, access, handler, instance, methodName, target } = route;
  if (access?.contract !== 'bearer' || access.hardened !== 'bearer') {
    throw new Error(`${handler} is direct and not for signed-in callers alone`);
  }
  if (Reflect.hasMetadata(recentLoginKey, target)) throw new Error(`${handler} is direct and asks for a recent login`);
  if (path.includes(':')) throw new Error(`${handler} is direct and its path has parameters`);
  const ignored = [...ignoredDecorators(route).filter((decorator) => decorator !== '@HttpCode'), ...globals];
  if (ignored.length > 0) {
    throw new Error(`${handler} is direct and asks for ${ignored.join(', ')}, which this way ignores`);
  }
  const places = Reflect.getMetadata(ROUTE_ARGS_METADATA, instance.constructor, methodName) as object | undefined;
  const types = Reflect.getMetadata('design:paramtypes', instance, methodName) as Type[];
  // In Nest's order, in which the first fault is found, rather than that of the arguments.
  const readers = Object.entries((places ?? {}) as Record<string, Argument>).map((argument) => ({
    index: argument[1].index,
    read: argumentReader(argument, types, route),
  }));
  const call = target as (...values: unknown[]) => Promise<unknown>;
  const status = Reflect.getMetadata(HTTP_CODE_METADATA, target) as number | undefined;
  return {
    path,
    readsBody: methodsWithBody.has(method),
    status: status ?? (method === 'POST' ? 201 : 200),
    handle: async ({ request, response }, body) => {
      const context = new ExecutionContextHost([request, response], instance.constructor as Type, target as never);
      const values: unknown[] = [];
      for (const { index, read } of readers) values[index] = read(context, body);
      return call.apply(instance, values);
    },
  };
}

/** The routes that carry `@Direct()`. */
export function listDirectRoutes(app: INestApplicationContext): Route[] {
  return listRoutes(app).filter(({ target }) => Reflect.hasMetadata(directKey, target));
}

/** Finds direct routes by method and path, as Express would: without case, and with or without a slash at the end. */
export class DirectRouteList {
  private readonly routes = new Map<string, DirectRoute>();

  constructor(app: INestApplicationContext) {
    const direct = listDirectRoutes(app);
    const globals = direct.length === 0 ? [] : ignoredGlobals(app.get(ModulesContainer));
    for (const route of direct) this.add(route, directRoute(route, globals));
  }

  /** The route of an address as a client would write it; undefined where Express has to look closer. */
  find(method: string, url: string): DirectRoute | undefined {
    return this.routes.get(`${method} ${url}`);
  }

  private add({ method, path }: Route, route: DirectRoute): void {
    const bare = path.replace(/\/$/, '');
    for (const address of [bare, `${bare}/`]) this.routes.set(`${method} ${address}`, route);
  }
}
