import { type ColumnWidth, layoutOf } from './column-widths.js';
import { cutToWidth, displayWidth } from './display-width.js';
import { harmlessLine } from './harmless.js';
import type { Color, Output } from './output.js';

export interface Column<Row> extends ColumnWidth {
  head: string;
  value: (row: Row) => string;
  /** What replaces the value if it does not fit. */
  short?: (row: Row) => string;
  color?: (row: Row) => Color | undefined;
  /** Whether its values are ids, which --short shortens. */
  isId?: boolean;
}

/** Where an id may be cut: after 8 characters, and at its hyphens. */
const idLengths = [8, 13, 18, 23, 36];

const gap = '  ';

/** Prints rows below a header as they come, cut to the terminal's width if there is one. */
export class Table<Row> {
  private headIsPrinted = false;
  /** For columns that are not cut, the widest value so far. */
  private readonly widths: number[];
  private columns: readonly Column<Row>[];
  /** How much of an id is shown with --short. */
  private idLength = 8;

  constructor(
    private readonly output: Output,
    private readonly given: readonly Column<Row>[],
  ) {
    this.columns = given;
    this.widths = given.map(({ width }) => width);
  }

  /** Prints the header, once, and the rows; each row as a block of lines on a terminal too narrow for them. */
  async print(rows: readonly Row[]): Promise<void> {
    if (this.output.isShort) this.shortenIds(rows);
    const { width } = this.output;
    const lines = Number.isFinite(width) ? this.fitted(rows, width) : this.whole(rows);
    if (lines.length > 0) await this.output.write(lines.map((line) => `${line.trimEnd()}\n`).join(''));
  }

  /** Cuts ids as short as the rows stay apart by them. */
  private shortenIds(rows: readonly Row[]): void {
    this.columns = this.given.map((column) => {
      if (!column.isId) return column;
      const ids = [...new Set(rows.map(column.value))];
      const length = idLengths.find((one) => new Set(ids.map((id) => id.slice(0, one))).size === ids.length) ?? 36;
      this.idLength = Math.max(this.idLength, length);
      const width = this.idLength;
      return { ...column, width, least: width, value: (row: Row) => column.value(row).slice(0, width) };
    });
    this.columns.forEach(({ isId, width }, at) => isId && (this.widths[at] = width));
  }

  private whole(rows: readonly Row[]): string[] {
    const cells = rows.map((row) => this.columns.map((column) => harmlessLine(column.value(row))));
    for (const row of cells) row.forEach((text, at) => this.widen(at, displayWidth(text)));
    const lay = (text: string, at: number) =>
      text + ' '.repeat(Math.max(0, (this.widths[at] ?? 0) - displayWidth(text)));
    const head = this.head(() => this.columns.map((column, at) => lay(column.head, at)).join(gap));
    return [...head, ...cells.map((row) => row.map(lay).join(gap))];
  }

  /** The last column needs no width: nothing follows it. */
  private widen(at: number, width: number): void {
    if (at < this.columns.length - 1) this.widths[at] = Math.max(this.widths[at] ?? 0, width);
  }

  private fitted(rows: readonly Row[], line: number): string[] {
    const layout = layoutOf(this.columns, line, gap.length);
    if (!layout) return rows.flatMap((row) => this.block(row));
    const lay = (text: string, at: number, color: Color | undefined) => {
      const width = layout.widths[at] ?? 0;
      const shown = cutToWidth(text, width);
      return this.output.paint(shown, color) + ' '.repeat(Math.max(0, width - displayWidth(shown)));
    };
    const head = this.head(() => layout.columns.map((column, at) => lay(column.head, at, 'bold')).join(gap));
    const cells = (row: Row) =>
      layout.columns.map((column, at) => {
        const text = harmlessLine(column.value(row));
        const isShort = column.short && displayWidth(text) > (layout.widths[at] ?? 0);
        return lay(isShort && column.short ? column.short(row) : text, at, column.color?.(row));
      });
    return [...head, ...rows.map((row) => cells(row).join(gap))];
  }

  private head(line: () => string): string[] {
    if (this.headIsPrinted) return [];
    this.headIsPrinted = true;
    return [line()];
  }

  private block(row: Row): string[] {
    const lines = this.columns.flatMap((column) => [
      this.output.paint(column.head, 'bold'),
      `  ${this.output.paint(harmlessLine(column.value(row)), column.color?.(row))}`,
    ]);
    return [...lines, ''];
  }
}
