import { applyDecorators, HttpCode, type Type } from '@nestjs/common';
import { ApiOperation, ApiResponse } from '@nestjs/swagger';
import type { ErrorKind } from '../errors/kinds.js';
import { ErrorBody } from '../errors/error.shapes.js';
import { statusOfKind } from '../errors/status-table.js';

/** What a route does, in a few words, and its answer when all goes well: shown by the OpenAPI document, held by tests. */
export function Answers(status: number, body: Type | [Type] | undefined, summary: string): MethodDecorator {
  const [type, isArray] = Array.isArray(body) ? [body[0], true] : [body, false];
  return applyDecorators(
    HttpCode(status),
    ApiOperation({ summary }),
    ApiResponse({ status, description: summary, ...(type ? { type, isArray } : {}) }),
  );
}

/** The refusals that a route's rules can give, beside those that its access mark and validation imply. */
export function Refuses(refusals: Partial<Record<ErrorKind, string>>): MethodDecorator {
  const responses = Object.entries(refusals).map(([kind, description]) =>
    ApiResponse({ status: statusOfKind[kind as ErrorKind], description, type: ErrorBody }),
  );
  return applyDecorators(...responses);
}

/** A method that the thing at a path does not take, for good: the handler throws `MethodNotAllowed`. */
export function NotOffered(why: string): MethodDecorator {
  return applyDecorators(ApiOperation({ summary: why }), Refuses({ method_not_allowed: why }));
}
