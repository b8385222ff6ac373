import { Injectable } from '@nestjs/common';
import { TaggedCache } from '../changes/tagged-cache.js';
import { ChangeBus, type CacheTag } from '../changes/change-bus.js';
import { ResponseHeader, headersOf, withHeader } from './response-headers.js';
import type { JsonText } from './json-text.js';
import type { Paging } from './paging.js';

const totalCountHeader = 'X-Total-Count';

/** A page of a list, as it is or as JSON. */
type Page = unknown[] | JsonText<unknown[]>;

/** Adds the length of the whole list to a page, for the header `X-Total-Count`. */
export function withTotal<T extends Page>(page: T, count: number): T {
  return withHeader(page, totalCountHeader, String(count));
}

/** The length of the whole list, as a page made by `withTotal` carries it. */
export function totalOf(page: Page): number {
  return Number(headersOf(page)[totalCountHeader]);
}

/** The whole of a list that has no pages. */
export function wholeList<T>(list: T[]): T[] {
  return withTotal(list, list.length);
}

/** For a route that returns a page made by `withTotal`: its answer has the header `X-Total-Count`. */
export const CountsTotal = (): MethodDecorator =>
  ResponseHeader(totalCountHeader, {
    description: 'The length of the whole list',
    schema: { type: 'integer', minimum: 0 },
  });

/** The input for counting a list. */
interface List {
  /** Names the list and its filters. */
  key: string;
  /** The tags of changes to its length; without any, it is counted each time. */
  cacheTags?: readonly CacheTag[];
  count: () => Promise<number>;
  /** Whether the page ends before its limit although the list goes on. */
  endsEarly?: boolean;
}

const mostKnown = 2_000;

/** Counts lists whose length their page does not tell, and remembers it until it may have changed. */
@Injectable()
export class ListTotals {
  private readonly known: TaggedCache<number>;

  constructor(changes: ChangeBus) {
    this.known = new TaggedCache(changes, mostKnown);
  }

  /** The page with the length of its list. */
  async page<T>(rows: T[], paging: Paging, list: List): Promise<T[]> {
    return withTotal(rows, await this.total(rows.length, paging, list));
  }

  /** The length of a list, given a page of it. */
  async total(onPage: number, { skip, limit }: Paging, list: List): Promise<number> {
    const { key, cacheTags, count: read, endsEarly = false } = list;
    const isLast = !endsEarly && onPage < limit && (onPage > 0 || skip === 0);
    if (isLast) return skip + onPage;
    const count = await (cacheTags ? this.known.get(key, cacheTags, read) : read());
    return onPage === 0 ? count : Math.max(count, skip + onPage);
  }
}
