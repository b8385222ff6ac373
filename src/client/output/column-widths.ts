export interface ColumnWidth {
  /** What its values need. */
  width: number;
  /** How far it may be cut where the terminal is narrow. */
  least: number;
}

/**
 * The widths of columns that share `room`. The last one takes what the others leave; where that is too little, columns
 * are cut from the right to the left, so that ids last longest.
 */
export function columnWidths(columns: readonly ColumnWidth[], room: number): number[] {
  let missing = columns.reduce((sum, { width }) => sum + width, 0) - room;
  const widths = columns.toReversed().map(({ width, least }, fromTheRight) => {
    if (missing < 0 && fromTheRight === 0) return width - missing;
    const cut = Math.min(Math.max(missing, 0), width - least);
    missing -= cut;
    return width - cut;
  });
  return widths.toReversed();
}
