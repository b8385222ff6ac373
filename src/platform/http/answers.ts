import { applyDecorators, HttpCode, SetMetadata, type Type } from '@nestjs/common';
import { ApiOperation, ApiResponse } from '@nestjs/swagger';
import type { CodeOf, ErrorKind } from '../errors/error-codes.js';

/** The codes by which a route refuses, by the kind of refusal. */
export type Refusals = { readonly [Kind in ErrorKind]?: readonly CodeOf<Kind>[] };

export const refusalsKey = Symbol('refusals');
export const examplesKey = Symbol('examples');

/**
 * The act of a route and its answer when all goes well, for the interface description, and for the tests that hold every
 * answer to it. The summary has a few words; the description tells the caller the rest in a sentence or
 * more.
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
 * The codes by which a route's rules refuse, by kind (`error-codes.ts` says what each means), beside those that its access
 * mark and its input imply.
 */
export function Refuses(refusals: Refusals): MethodDecorator {
  return SetMetadata(refusalsKey, refusals);
}

/**
 * Examples of a route's own, where those of its DTOs' fields do not serve: of parameters by their names, of its JSON
 * body as `body`, of its answer as `answer`. `demo('order')` names a row of the demo data.
 */
export function Examples(examples: Record<string, unknown>): MethodDecorator {
  return SetMetadata(examplesKey, examples);
}
