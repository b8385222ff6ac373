import { harmlessText } from './harmless.js';
import type { Output } from './output.js';

const formula = /^[=+\-@\t\r]/;
const special = /["\r\n,]/;

/** A value as in RFC 4180. One that a spreadsheet would take for a formula begins with an apostrophe (OWASP). */
function csvValue(value: string): string {
  const harmless = formula.test(value) ? `'${value}` : value;
  return special.test(harmless) || harmless !== value ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

export interface CsvColumn<Row> {
  head: string;
  value: (row: Row) => string;
}

/** Prints rows below a header as they come, as comma-separated values. */
export class Csv<Row> {
  private headIsPrinted = false;

  constructor(
    private readonly output: Output,
    private readonly columns: readonly CsvColumn<Row>[],
  ) {}

  /** Prints the header, once, and the rows. */
  async print(rows: readonly Row[]): Promise<void> {
    const lines = rows.map((row) => this.columns.map(({ value }) => csvValue(value(row))));
    if (!this.headIsPrinted) lines.unshift(this.columns.map(({ head }) => csvValue(head)));
    this.headIsPrinted = true;
    if (lines.length === 0) return;
    const text = lines.map((line) => `${line.join(',')}\r\n`).join('');
    // A file keeps every character; a terminal must not obey control characters.
    await this.output.write(this.output.isTerminal ? harmlessText(text) : text);
  }
}
