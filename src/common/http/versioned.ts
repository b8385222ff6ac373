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
import { versionOf } from './entity-tag.js';

export const versionedKey = Symbol('versioned');

@Injectable()
export class VersionInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const response = context.switchToHttp().getResponse<Response>();
    return next.handle().pipe(tap((thing: object) => response.setHeader('ETag', versionOf(thing))));
  }
}

/** For a route that returns a thing that is edited: its answer has the version as `ETag`. */
export const Versioned = (): MethodDecorator =>
  applyDecorators(SetMetadata(versionedKey, true), UseInterceptors(VersionInterceptor));

/** For a route that changes such a thing: it takes `If-Match`, and refuses with `changed_meanwhile`. */
export const TakesIfMatch = (): MethodDecorator =>
  applyDecorators(
    Versioned(),
    ApiHeader({
      name: 'If-Match',
      required: false,
      description:
        'The ETag of what you read: it is changed only while it has that version, else the answer is a 412. Without ' +
        'the header, or with *, it is changed whatever it is now',
      schema: { type: 'string' },
    }),
  );

/** The request's If-Match, or null. */
export const IfMatch = createParamDecorator((_: unknown, context: ExecutionContext): string | null => {
  return context.switchToHttp().getRequest<Request>().get('if-match') ?? null;
});
