/** Each row of a bounded page carries the number of matches, and the bytes of the rows before it. */
export interface Bounded {
  total: number;
  before: number;
}

/** Whether there are rows after a bounded page, for which `size` rows and one more were queried. */
export function hasMore(rows: Pick<Bounded, 'total'>[], size: number): boolean {
  return (rows[0]?.total ?? 0) > Math.min(size, rows.length);
}

/** Removes the columns of `boundedRows` from a row. */
export function unbounded<Row extends Bounded>({
  total: _total,
  before: _before,
  ...row
}: Row): Omit<Row, keyof Bounded> {
  return row;
}
