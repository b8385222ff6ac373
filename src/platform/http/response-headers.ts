import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  SetMetadata,
  UseInterceptors,
} from '@nestjs/common';
import type { Response } from 'express';
import { type Observable, tap } from 'rxjs';

export const responseHeadersKey = Symbol('response-headers');
const headers = Symbol('headers');

type WithHeaders = object & { [headers]?: Record<string, string> };

/** A header as the interface description shows it. */
export interface DescribedHeader {
  description: string;
  schema: Record<string, unknown>;
}

/** Adds a header to what a handler returns; the route says so by `@ResponseHeader`. */
export function withHeader<T extends object>(answer: T, name: string, value: string): T {
  const given = { ...(answer as WithHeaders)[headers], [name]: value };
  return Object.defineProperty(answer, headers, { value: given, configurable: true });
}

/** The headers that were added to a handler's answer. */
export function headersOf(answer: unknown): Record<string, string> {
  return (typeof answer === 'object' && answer !== null && (answer as WithHeaders)[headers]) || {};
}

@Injectable()
export class ResponseHeadersInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const response = context.switchToHttp().getResponse<Response>();
    return next.handle().pipe(
      tap((answer) => {
        for (const [name, value] of Object.entries(headersOf(answer))) response.setHeader(name, value);
      }),
    );
  }
}

/** Describes a header that the answers of a route may have, as `withHeader` adds it. */
export function ResponseHeader(name: string, described: DescribedHeader): MethodDecorator {
  return (target, key, descriptor) => {
    const handler = descriptor.value as object;
    const others = (Reflect.getMetadata(responseHeadersKey, handler) ?? {}) as Record<string, DescribedHeader>;
    const isFirst = Object.keys(others).length === 0;
    const marks = [SetMetadata(responseHeadersKey, { ...others, [name]: described })];
    applyDecorators(...marks, ...(isFirst ? [UseInterceptors(ResponseHeadersInterceptor)] : []))(
      target,
      key,
      descriptor,
    );
  };
}
