/** All pages of a list with `skip`. */
export async function* pagesBySkip<Row>(
  ask: (skip: number, limit: number) => Promise<{ rows: Row[] }>,
  limit = 1_000,
): AsyncGenerator<Row[]> {
  for (let skip = 0; ; skip += limit) {
    const { rows } = await ask(skip, limit);
    yield rows;
    if (rows.length < limit) return;
  }
}

/** All pages of a list with a cursor. */
export async function* pagesByCursor<Row>(
  ask: (page: { cursor?: string }) => Promise<{ data: Row[]; nextCursor: string | null }>,
): AsyncGenerator<Row[]> {
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page: { data: Row[]; nextCursor: string | null } = await ask(cursor === undefined ? {} : { cursor });
    yield page.data;
    cursor = page.nextCursor;
  }
}
