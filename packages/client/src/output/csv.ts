import { harmlessText } from './harmless.js';
import type { Output } from './output.js';

/**
 * The beginning of what a spreadsheet would take for a formula (OWASP, CSV injection): of the value, or of what becomes a cell
 * where the spreadsheet splits lines at semicolons or tabs. An apostrophe behind it prevents that. The service and the console
 * write by the same rule.
 */
const formula = /(^|[;\t\r\n])(["']*)(?=[=+\-@＝＋－＠])/g;
const control = /(?![\t\r\n])\p{Cc}/gu;
const special = /[",;\t\r\n]/;

/** A value as in RFC 4180, without control characters and formulas. */
export function csvCell(value: string): string {
  const harmless = value.replace(control, '').replace(formula, "$1$2'");
  return special.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
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
    const lines = rows.map((row) => this.columns.map(({ value }) => csvCell(value(row))));
    if (!this.headIsPrinted) lines.unshift(this.columns.map(({ head }) => csvCell(head)));
    this.headIsPrinted = true;
    if (lines.length === 0) return;
    const text = lines.map((line) => `${line.join(',')}\r\n`).join('');
    // A file keeps every character; a terminal must not obey control characters.
    await this.output.write(this.output.isTerminal ? harmlessText(text) : text);
  }
}
