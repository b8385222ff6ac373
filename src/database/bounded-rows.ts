/** How many bytes the rows of one page may have together. */
const pageBytes = 8 * 2 ** 20;

/** What each row of a bounded page says of the page: how many rows were found, also where not all of them are answered. */
export interface Bounded {
  total: number;
  before: number;
}

/**
 * SQL of as many of `rows` as are not too large together, the first one anyway: what is left is the next page's. `order` is
 * theirs, and `size` SQL of how many bytes a row `e` has, by what makes rows large.
 */
export function boundedRows(rows: string, order: string, size: string): string {
  return `SELECT * FROM (
      SELECT e.*, count(*) OVER () AS total,
             sum(${size}) OVER (ORDER BY ${order} ROWS UNBOUNDED PRECEDING) - ${size} AS before
        FROM (${rows}) AS e) AS e
     WHERE before < ${pageBytes} ORDER BY ${order}`;
}

/** Whether there are more rows than those of a bounded page that was asked for `size` of them and one more. */
export function hasMore(rows: Bounded[], size: number): boolean {
  return (rows[0]?.total ?? 0) > Math.min(size, rows.length);
}

/** A row as it was before it was bounded. */
export function unbounded<Row extends Bounded>({
  total: _total,
  before: _before,
  ...row
}: Row): Omit<Row, keyof Bounded> {
  return row;
}
