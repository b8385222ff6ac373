/** The most bytes of the rows of one page. */
export const pageBytes = 8 * 2 ** 20;

/** The same for the shop's lists, which every connection of a pool may read at once. */
export const shopPageBytes = 4 * 2 ** 20;

/**
 * SQL of as many of `rows` as fit a page, at least the first; the next page begins with the others. `order` is the
 * order of the rows, and `size` is SQL for the bytes of a row `e`.
 */
export function boundedRows(rows: string, order: string, size: string, mostBytes = pageBytes): string {
  return `SELECT * FROM (
      SELECT e.*, count(*) OVER () AS total,
             sum(${size}) OVER (ORDER BY ${order} ROWS UNBOUNDED PRECEDING) - ${size} AS before
        FROM (${rows}) AS e) AS e
     WHERE before < ${mostBytes} ORDER BY ${order}`;
}
