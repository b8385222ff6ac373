import { applyDecorators, HttpCode, SetMetadata, type Type } from '@nestjs/common';
import { ApiOperation, ApiResponse } from '@nestjs/swagger';
import type { CodeOf, ErrorKind } from '../errors/error-codes.js';

/** The codes by which a route refuses, by the kind of refusal. */
export type Refusals = { readonly [Kind in ErrorKind]?: readonly CodeOf<Kind>[] };

export const refusalsKey = Symbol('refusals');
export const examplesKey = Symbol('examples');

/**
 * Describes an operation and its successful response, for the interface description and for the tests that check every response against it. The summary has a few words; the description says the rest in one or more sentences.
 *
 * An operation is described whole by three decorators beside its route, and by the `example`s of its DTOs' fields:
 *
 *     @Answers(201, Order, 'Cancel your order', 'Only while it is pending; its stock and its coupon use return.')
 *     @Refuses({ not_found: ['not_found'], conflict: ['impossible_transition'] })
 *     @Examples({ order_id: demo('pendingOrder') })
 *
 * test/architecture names what is missing, and test/api/docs/examples.test.ts sends each example as it stands.
 */
export function Answers(
  status: number,
  body: Type | [Type] | undefined,
  summary: string,
  description = '',
): MethodDecorator {
  const [type, isArray] = Array.isArray(body) ? [body[0], true] : [body, false];
  return applyDecorators(
    HttpCode(status),
    ApiOperation({ summary, description }),
    ApiResponse({ status, description: summary, ...(type ? { type, isArray } : {}) }),
  );
}

/**
 * The codes of a route's own refusals, by kind (`error-codes.ts` explains each), in addition to those that its access
 * mark and its input imply.
 */
export function Refuses(refusals: Refusals): MethodDecorator {
  return SetMetadata(refusalsKey, refusals);
}

/**
 * Examples of a route that replace those of its fields: parameters by their names, the JSON body as `body`, the
 * response as `answer`. `demo('order')` names a row of the demo data.
 */
export function Examples(examples: Record<string, unknown>): MethodDecorator {
  return SetMetadata(examplesKey, examples);
}
