export interface ColumnWidth {
  /** The width that its values need. */
  width: number;
  /** The width to which a narrow terminal may cut it. */
  least: number;
  /** Whether it can be dropped on a narrow terminal. */
  mayGo?: boolean;
}

/**
 * The widths of columns that share the available width. The last column, mostly a title, takes what the others leave; if that
 * is too little, the others are cut to their minimum from right to left, and then it. Null if even that does not fit.
 */
function widthsOf(columns: readonly ColumnWidth[], available: number): number[] | null {
  let missing = columns.reduce((sum, { width }) => sum + width, 0) - available;
  const last = columns.length - 1;
  const widths = columns.map(({ width }) => width);
  if (missing < 0) widths[last] = (widths[last] ?? 0) - missing;
  for (const at of [...columns.keys()]
    .filter((index) => index !== last)
    .reverse()
    .concat(last)) {
    const { width, least } = columns[at] as ColumnWidth;
    const cut = Math.min(Math.max(missing, 0), width - least);
    missing -= cut;
    widths[at] = (widths[at] ?? 0) - cut;
  }
  return missing > 0 ? null : widths;
}

export interface Layout<Column> {
  columns: readonly Column[];
  widths: number[];
}

/** The columns that fit on a line with a gap between them, optional ones dropped first; null if that is not enough. */
export function layoutOf<Column extends ColumnWidth>(
  columns: readonly Column[],
  line: number,
  gap: number,
): Layout<Column> | null {
  const dispensable = columns.filter(({ mayGo }) => mayGo);
  for (let without = 0; without <= dispensable.length; without++) {
    const gone = new Set(dispensable.slice(0, without));
    const kept = columns.filter((column) => !gone.has(column));
    const widths = widthsOf(kept, line - gap * (kept.length - 1));
    if (widths) return { columns: kept, widths };
  }
  return null;
}
