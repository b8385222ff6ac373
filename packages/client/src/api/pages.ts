import { strangeAnswer } from './answer-failures.js';
import type { ApiClient, Query } from './api-client.js';

interface Page<T> {
  data: T[];
  nextCursor: string | null;
}

/** Some entries of a list; on the last of them, whether the list goes on beyond the limit. */
export interface Part<T> {
  entries: T[];
  isCut: boolean;
}

const largestPage = 100;

/** At most `limit` entries of a list, newest first, fetched page by page. */
export async function* pages<T>(api: ApiClient, path: string, query: Query, limit: number): AsyncGenerator<Part<T>> {
  let cursor: string | undefined;
  for (let left = limit; left > 0;) {
    const page = await api.get<Page<T>>(path, { ...query, size: Math.min(left, largestPage), cursor });
    if (!Array.isArray(page.data)) throw strangeAnswer(api.address, 'JSON, but no list');
    const entries = page.data.slice(0, left);
    left -= page.data.length;
    const hasMore = Boolean(page.nextCursor) && page.data.length > 0;
    yield { entries, isCut: left <= 0 && (hasMore || left < 0) };
    if (!page.nextCursor || !hasMore) return;
    cursor = page.nextCursor;
  }
}
