/** Keeps the rows of a list where they are while somebody works on them, although a change may have sorted them otherwise. */
export class RowPlaces<Row> {
  private list = '';
  /** The rows as they are shown, in their order. */
  private shown = new Map<string, Row>();
  private readonly held = new Set<string>();

  constructor(private readonly keyOf: (row: Row) => string) {}

  /** The next list is in the order in which it is read, even if it is the same one. */
  forget(): void {
    this.list = '';
  }

  /** Changes rows that are shown: until another list is, they stay, although they may be sorted beyond what is read of the list. */
  hold(keys: readonly string[], change: (row: Row) => Row): void {
    for (const key of keys) {
      const row = this.shown.get(key);
      if (row === undefined) continue;
      this.shown.set(key, change(row));
      this.held.add(key);
    }
  }

  /** The rows of a list as they were read: those that were there before keep their order, until another list is shown. */
  inOrder(list: string, rows: readonly Row[]): Row[] {
    if (list !== this.list) this.shown.clear();
    if (list !== this.list) this.held.clear();
    const read = new Map(rows.map((row) => [this.keyOf(row), row]));
    const known = [...this.shown].flatMap(([key, row]) => read.get(key) ?? (this.held.has(key) ? row : []));
    const placed: Row[] = [];
    let next = 0;
    for (const row of rows) {
      if (!this.shown.has(this.keyOf(row))) placed.push(row);
      else {
        // In its stead the next known one that was read, after those that are only held.
        let one = known[next++];
        for (; one !== undefined && !read.has(this.keyOf(one)); one = known[next++]) placed.push(one);
        if (one !== undefined) placed.push(one);
      }
    }
    placed.push(...known.slice(next));
    this.list = list;
    this.shown = new Map(placed.map((row) => [this.keyOf(row), row]));
    return placed;
  }
}
