import { type Page, wholePages } from '@store-service/sdk';
import { strangeAnswer } from './refusals.js';

/** The part of a list to ask for. */
export interface Paging {
  size: number;
  cursor?: string;
  total?: boolean;
}

export type List<T> = (paging: Paging) => Promise<{ data: Page<T> & { totalCount?: number } }>;

/** Some entries of a list; on the last of them, whether the list goes on beyond the limit. */
export interface Part<T> {
  entries: T[];
  isCut: boolean;
}

const largestPage = 100;

/** At most `limit` entries of a list, newest first, fetched page by page. */
export async function* parts<T>(list: List<T>, limit: number): AsyncGenerator<Part<T>> {
  let left = limit;
  for await (const page of wholePages((cursor) => list({ size: Math.min(left, largestPage), ...cursor }))) {
    if (!Array.isArray(page.data)) throw strangeAnswer('The server', 'JSON, but no list');
    const entries = page.data.slice(0, left);
    left -= page.data.length;
    const hasMore = Boolean(page.nextCursor) && page.data.length > 0;
    yield { entries, isCut: left <= 0 && (hasMore || left < 0) };
    if (left <= 0 || !hasMore) return;
  }
}
