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
import { BrieflyKnown } from '../changes/briefly-known.js';
import { ChangeBus, type CacheTag } from '../changes/change-bus.js';

export const totalCountHeader = 'X-Total-Count';
export const totalCountKey = Symbol('total-count');
const total = Symbol('total');

/** A page of a list that knows how long the whole list is. */
type Counted<T> = T[] & { [total]?: number };

/** Has the page say how long the whole list is: the answer's header `X-Total-Count` then does. */
export function withTotal<T>(page: T[], count: number): T[] {
  return Object.defineProperty(page, total, { value: count });
}

/** How long the list is of which a handler returned a page; undefined for anything else. */
export function totalOf(value: unknown): number | undefined {
  return Array.isArray(value) ? (value as Counted<unknown>)[total] : undefined;
}

/** The whole of a list that has no pages. */
export function wholeList<T>(list: T[]): T[] {
  return withTotal(list, list.length);
}

@Injectable()
class TotalCountInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const response = context.switchToHttp().getResponse<Response>();
    return next.handle().pipe(
      tap((value) => {
        const count = totalOf(value);
        if (count !== undefined) response.setHeader(totalCountHeader, count);
      }),
    );
  }
}

/** The route returns a page that `withTotal` made: its answer says in `X-Total-Count` how long the whole list is. */
export const CountsTotal = (): MethodDecorator =>
  applyDecorators(SetMetadata(totalCountKey, true), UseInterceptors(TotalCountInterceptor));

/** What is needed to count a list. */
interface List {
  /** Names the list, and what it is narrowed by. */
  key: string;
  /** What changes its length; without, it is counted each time. */
  cacheTags?: readonly CacheTag[];
  count: () => Promise<number>;
}

const mostKnown = 2_000;

/** Counts lists where their page does not tell, once for all who ask until their length may have changed. */
@Injectable()
export class ListTotals {
  private readonly known: BrieflyKnown<number>;

  constructor(changes: ChangeBus) {
    this.known = new BrieflyKnown(changes, mostKnown);
  }

  /** The page with the length of its list. */
  async page<T>(rows: T[], { skip, limit }: { skip: number; limit: number }, list: List): Promise<T[]> {
    const isLast = rows.length < limit && (rows.length > 0 || skip === 0);
    if (isLast) return withTotal(rows, skip + rows.length);
    const { key, cacheTags, count: read } = list;
    const count = await (cacheTags ? this.known.get(key, cacheTags, read) : read());
    return withTotal(rows, rows.length === 0 ? count : Math.max(count, skip + rows.length));
  }
}
