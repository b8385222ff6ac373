import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { Request } from 'express';
import { Invalid } from '../errors/invalid.js';
import { Conflict } from '../errors/errors.js';

const header = 'idempotency-key';
const maxLength = 255;
const location = ['header', header];

/** The request's Idempotency-Key, or null; `Invalid` where it is empty or longer than 255 characters. */
export const IdempotencyKey = createParamDecorator((_: unknown, context: ExecutionContext): string | null => {
  const key = context.switchToHttp().getRequest<Request>().get(header);
  if (key === undefined) return null;
  if (key.length >= 1 && key.length <= maxLength) return key;
  const [type, msg] =
    key === ''
      ? ['string_too_short', 'String should have at least 1 character']
      : ['string_too_long', `String should have at most ${maxLength} characters`];
  throw Invalid.at(location, type, msg);
});

/** Documents the header in the OpenAPI description; `does` names the effect that happens once, such as `orders`. */
export function TakesIdempotencyKey(does: string): MethodDecorator {
  return applyDecorators(
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description: `Repeating a request with the same key within 24 hours returns the first response, and ${does} once`,
      schema: { type: 'string', minLength: 1, maxLength },
    }),
  );
}

/** The refusal of a request whose key belongs to one that is still running. */
export function requestRunning(): Conflict {
  return new Conflict(
    'A request with this Idempotency-Key is still running: repeat it in a few seconds',
    'request_running',
  );
}

/** The refusal of a request whose key another request had. */
export function keyOfAnotherRequest(key: string | undefined): Invalid {
  const msg = 'This Idempotency-Key was used for another request: use a new key for each new request';
  return Invalid.at(location, 'value_error', msg, key);
}
