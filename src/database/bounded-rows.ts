/** How many bytes the rows of one page may have together. */
const pageBytes = 8 * 2 ** 20;

/** What each row of a bounded page says of it: how many rows were found, and the bytes of those before. */
export interface Bounded {
  total: number;
  before: number;
}

/**
 * SQL of as many of `rows` as fit a page, at least the first; the next page begins with the others. `order` is that of the
 * rows, and `size` is SQL for the bytes of a row `e`.
 */
export function boundedRows(rows: string, order: string, size: string): string {
  return `SELECT * FROM (
      SELECT e.*, count(*) OVER () AS total,
             sum(${size}) OVER (ORDER BY ${order} ROWS UNBOUNDED PRECEDING) - ${size} AS before
        FROM (${rows}) AS e) AS e
     WHERE before < ${pageBytes} ORDER BY ${order}`;
}

/** Whether there are rows after a bounded page, for which `size` rows and one more were queried. */
export function hasMore(rows: Bounded[], size: number): boolean {
  return (rows[0]?.total ?? 0) > Math.min(size, rows.length);
}

/** A row without what `boundedRows` added. */
export function unbounded<Row extends Bounded>({
  total: _total,
  before: _before,
  ...row
}: Row): Omit<Row, keyof Bounded> {
  return row;
}
