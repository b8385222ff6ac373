import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { Request } from 'express';
import { Invalid } from '../../common/errors/invalid.js';

const header = 'idempotency-key';
const maxLength = 255;

/** Where errors place what is wrong with the header. */
export const keyLocation = ['header', header];

/** The request's Idempotency-Key, or null; `Invalid` where it is empty or longer than 255 characters. */
export const IdempotencyKey = createParamDecorator((_: unknown, context: ExecutionContext): string | null => {
  const key = context.switchToHttp().getRequest<Request>().get(header);
  if (key === undefined) return null;
  if (key.length >= 1 && key.length <= maxLength) return key;
  const [type, msg] =
    key === ''
      ? ['string_too_short', 'String should have at least 1 character']
      : ['string_too_long', `String should have at most ${maxLength} characters`];
  throw Invalid.at(keyLocation, type, msg);
});

/** Documents the header in the OpenAPI description. */
export function TakesIdempotencyKey(): MethodDecorator {
  return applyDecorators(
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description: 'Repeating a request with the same key within 24 hours gives the first answer, and orders once',
      schema: { type: 'string', minLength: 1, maxLength },
    }),
  );
}
