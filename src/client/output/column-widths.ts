export interface ColumnWidth {
  /** The width that its values need. */
  width: number;
  /** The width to which a narrow terminal may cut it. */
  least: number;
}

/**
 * The widths of columns that share the available width. The last column takes what the others leave; where that is too
 * little, columns are cut from right to left, so that ids stay whole longest.
 */
export function columnWidths(columns: readonly ColumnWidth[], available: number): number[] {
  let missing = columns.reduce((sum, { width }) => sum + width, 0) - available;
  const widths = columns.toReversed().map(({ width, least }, fromTheRight) => {
    if (missing < 0 && fromTheRight === 0) return width - missing;
    const cut = Math.min(Math.max(missing, 0), width - least);
    missing -= cut;
    return width - cut;
  });
  return widths.toReversed();
}
