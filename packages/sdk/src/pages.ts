/** The result of a listing: a page, and the cursor of the next one. */
interface Page<Item> {
  data: { data: Item[]; nextCursor: string | null };
}

/**
 * Iterates over all items of a listing, fetching page by page:
 *
 *     for await (const issue of pages((cursor) => store.issues.list({ query: { size: 100, ...cursor } }))) …
 */
export async function* pages<Item>(list: (cursor: { cursor?: string }) => Promise<Page<Item>>): AsyncGenerator<Item> {
  let next: string | null = null;
  do {
    const { data: page }: Page<Item> = await list(next === null ? {} : { cursor: next });
    yield* page.data;
    next = page.nextCursor;
  } while (next !== null);
}
