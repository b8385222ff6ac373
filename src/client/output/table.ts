import { columnWidths } from './column-widths.js';
import { cutToWidth, displayWidth } from './display-width.js';
import { harmlessLine } from './harmless.js';
import type { Colour, Output } from './output.js';

export interface Column<Row> {
  head: string;
  value: (row: Row) => string;
  colour?: (row: Row) => Colour | undefined;
  width: number;
  least: number;
}

const gap = '  ';

/** Prints rows below a head as they come, cut to the terminal's width where there is one. */
export class Table<Row> {
  private headIsPrinted = false;

  constructor(
    private readonly output: Output,
    private readonly columns: readonly Column<Row>[],
  ) {}

  /** Prints the head, once, and the rows. */
  async print(rows: readonly Row[]): Promise<void> {
    const lay = this.layout();
    const lines = rows.map((row) =>
      this.columns.map(({ value, colour }, index) => lay(index, harmlessLine(value(row)), colour?.(row))),
    );
    if (!this.headIsPrinted) lines.unshift(this.columns.map(({ head }, index) => lay(index, head, 'bold')));
    this.headIsPrinted = true;
    if (lines.length > 0) await this.output.write(lines.map((cells) => `${cells.join(gap).trimEnd()}\n`).join(''));
  }

  /** Lays a value into its column, by the terminal's present width. */
  private layout(): (column: number, text: string, colour: Colour | undefined) => string {
    const available = this.output.width - gap.length * (this.columns.length - 1);
    const isBounded = Number.isFinite(available);
    const widths = isBounded ? columnWidths(this.columns, available) : this.columns.map(({ width }) => width);
    return (column, text, colour) => {
      const width = widths[column] ?? 0;
      const shown = isBounded ? cutToWidth(text, width) : text;
      return this.output.paint(shown, colour) + ' '.repeat(Math.max(0, width - displayWidth(shown)));
    };
  }
}
