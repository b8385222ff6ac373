import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  SetMetadata,
  UseInterceptors,
} from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { map, type Observable } from 'rxjs';
import type { Topic } from '../changes/change-bus.js';

/** What an answer depends on, told by the answer and the values of the address's path and query, as they were sent. */
export type TopicsOf<Answer> = (
  answer: Answer,
  params: Record<string, string>,
  query: Record<string, unknown>,
) => Topic[];

/** What a handler noted of its answer. */
export interface AnswerNote {
  /** The route's pattern, by which it is measured. */
  route: string;
  topics: Topic[];
}

export const cacheableKey = Symbol('cacheable');
const noteKey = Symbol('note');

type Noted = Request & { [noteKey]?: AnswerNote };

/** What the handler of a request noted of its answer; undefined where the answer must not be kept. */
export function answerNote(request: object): AnswerNote | undefined {
  return (request as Noted)[noteKey];
}

class NoteTaker<Answer> implements NestInterceptor<Answer, Answer> {
  constructor(private readonly topicsOf: TopicsOf<Answer>) {}

  intercept(context: ExecutionContext, next: CallHandler<Answer>): Observable<Answer> {
    const request = context.switchToHttp().getRequest<Noted>();
    const response = context.switchToHttp().getResponse<Response>();
    return next.handle().pipe(
      map((answer) => {
        const { path: route } = request.route as { path: string };
        const params = request.params as Record<string, string>;
        request[noteKey] = { route, topics: this.topicsOf(answer, params, request.query) };
        // Caches of others may keep it, and must ask each time whether it still holds.
        response.setHeader('Cache-Control', 'no-cache');
        return answer;
      }),
    );
  }
}

/**
 * Lets the answers of a public GET be kept in memory until something that they depend on changes. The answer may depend
 * on nothing but its address and what `topicsOf` names: not on the caller, a header or the clock.
 */
export function Cacheable<Answer>(topicsOf: TopicsOf<Answer>): MethodDecorator {
  return applyDecorators(
    SetMetadata(cacheableKey, true),
    UseInterceptors(new NoteTaker(topicsOf)),
    ApiResponse({ status: 304, description: 'Not modified: the caller has this answer, as If-None-Match says' }),
  );
}
