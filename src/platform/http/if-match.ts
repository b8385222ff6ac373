import {
  applyDecorators,
  type CallHandler,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  SetMetadata,
  UseInterceptors,
} from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { type Observable, tap } from 'rxjs';
import { Invalid } from '../errors/invalid.js';
import { versionOf } from './entity-tag.js';

const maxLength = 1000;

export const versionedKey = Symbol('versioned');

@Injectable()
export class VersionInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const response = context.switchToHttp().getResponse<Response>();
    return next.handle().pipe(tap((thing: object) => response.setHeader('ETag', versionOf(thing))));
  }
}

/** For a route that returns an editable resource: its answer has the version as `ETag`. */
export const Versioned = (): MethodDecorator =>
  applyDecorators(SetMetadata(versionedKey, true), UseInterceptors(VersionInterceptor));

/** For a route that changes such a resource: it takes `If-Match`, and refuses with `changed_meanwhile`. */
export const TakesIfMatch = (): MethodDecorator =>
  applyDecorators(
    Versioned(),
    ApiHeader({
      name: 'If-Match',
      required: false,
      description:
        'The ETag of the version that you read: if the resource has changed since, the response is a 412. Without ' +
        'the header, or with *, it is changed in any case',
      schema: { type: 'string', maxLength },
    }),
  );

/** The request's If-Match, or null; `Invalid` where it is longer than 1,000 characters. */
export const IfMatch = createParamDecorator((_: unknown, context: ExecutionContext): string | null => {
  const value = context.switchToHttp().getRequest<Request>().get('if-match') ?? null;
  if (value === null || value.length <= maxLength) return value;
  const msg = `String should have at most ${maxLength} characters`;
  throw Invalid.at(['header', 'if-match'], 'string_too_long', msg);
});
