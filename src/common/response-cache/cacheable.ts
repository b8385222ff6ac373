import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  SetMetadata,
  UseInterceptors,
} from '@nestjs/common';
import type { Request } from 'express';
import { map, type Observable } from 'rxjs';
import type { Topic } from '../changes/change-bus.js';

/** What an answer depends on. `params` are the values of the route's path. */
export type TopicsOf<Answer> = (answer: Answer, params: Record<string, string>) => Topic[];

export const cacheableKey = Symbol('cacheable');
const topicsKey = Symbol('topics');

type Marked = Request & { [topicsKey]?: Topic[] };

/** What the answer to a request depends on, once its handler has answered; undefined where it must not be kept. */
export function answerTopics(request: object): Topic[] | undefined {
  return (request as Marked)[topicsKey];
}

class TopicsNote<Answer> implements NestInterceptor<Answer, Answer> {
  constructor(private readonly topicsOf: TopicsOf<Answer>) {}

  intercept(context: ExecutionContext, next: CallHandler<Answer>): Observable<Answer> {
    const request = context.switchToHttp().getRequest<Marked>();
    return next.handle().pipe(
      map((answer) => {
        request[topicsKey] = this.topicsOf(answer, request.params as Record<string, string>);
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
  return applyDecorators(SetMetadata(cacheableKey, true), UseInterceptors(new TopicsNote(topicsOf)));
}
