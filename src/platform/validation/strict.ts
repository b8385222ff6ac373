import { type CanActivate, type ExecutionContext, Injectable, type Type, UseGuards } from '@nestjs/common';
import { MODULE_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { Request } from 'express';
import { fieldNamesOf } from './dto.js';
import type { DtoClass } from './field-spec.js';
import { refuseUnknownNames } from './problems.js';

const strictControllers = new WeakSet<object>();
const strictBodies = new WeakSet<object>();

/** The classes of a handler's arguments from this place of the request. */
function dtosFrom(kind: RouteParamtypes, controller: Type, method: string): DtoClass[] {
  const prototype = controller.prototype as object;
  const places = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) ?? {}) as Record<
    string,
    { index: number }
  >;
  const types = (Reflect.getMetadata('design:paramtypes', prototype, method) ?? []) as DtoClass[];
  return Object.entries(places)
    .filter(([place]) => (Number(place.split(':')[0]) as RouteParamtypes) === kind)
    .flatMap(([, { index }]) => types[index] ?? []);
}

/** Refuses query parameters that the route does not know. */
@Injectable()
export class StrictQuery implements CanActivate {
  private readonly known = new WeakMap<object, ReadonlySet<string>>();

  canActivate(context: ExecutionContext): boolean {
    const { query } = context.switchToHttp().getRequest<Request>();
    refuseUnknownNames(query, this.namesOf(context.getClass(), context.getHandler()), 'query');
    return true;
  }

  private namesOf(controller: Type, handler: { name: string }): ReadonlySet<string> {
    const remembered = this.known.get(handler);
    if (remembered) return remembered;
    const dtos = dtosFrom(RouteParamtypes.QUERY, controller, handler.name);
    const names = new Set(dtos.flatMap((dto) => [...fieldNamesOf(dto)]));
    this.known.set(handler, names);
    return names;
  }
}

/**
 * Makes all controllers of these modules strict: an unknown field of a body, at any depth, and an unknown query parameter
 * are `Invalid`. Returns the modules.
 */
export function takenStrictly(modules: Type[]): Type[] {
  for (const module of modules) {
    for (const controller of (Reflect.getMetadata(MODULE_METADATA.CONTROLLERS, module) ?? []) as Type[]) {
      if (strictControllers.has(controller)) continue;
      strictControllers.add(controller);
      UseGuards(StrictQuery)(controller);
      for (const method of Object.getOwnPropertyNames(controller.prototype)) {
        for (const body of dtosFrom(RouteParamtypes.BODY, controller, method)) strictBodies.add(body);
      }
    }
  }
  return modules;
}

/** Whether this controller refuses unknown names. */
export function isStrictController(controller: object): boolean {
  return strictControllers.has(controller);
}

/** Whether a body of this class is refused where it holds unknown names. */
export function isStrictBody(dto: object): boolean {
  return strictBodies.has(dto);
}
