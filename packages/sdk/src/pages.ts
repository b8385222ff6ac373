/** One page of a listing, and the cursor of the next one. */
export interface Page<Item> {
  data: Item[];
  nextCursor: string | null;
}

type List<Item> = (cursor: { cursor?: string }) => Promise<{ data: Page<Item> }>;

/** Iterates over the pages of a listing, each asked for when the loop gets to it: for who works on many items at a time. */
export async function* wholePages<Item>(list: List<Item>): AsyncGenerator<Page<Item>> {
  let next: string | null = null;
  do {
    const { data: page }: { data: Page<Item> } = await list(next === null ? {} : { cursor: next });
    yield page;
    next = page.nextCursor;
  } while (next !== null);
}

/**
 * Iterates over all items of a listing, fetching page by page:
 *
 *     for await (const issue of pages((cursor) => store.issues.list({ query: { size: 100, ...cursor } }))) …
 */
export async function* pages<Item>(list: List<Item>): AsyncGenerator<Item> {
  for await (const page of wholePages(list)) yield* page.data;
}
