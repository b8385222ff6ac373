type Value = string | number | boolean | null | undefined;

interface CsvColumn<Row> {
  title: string;
  text: (row: Row) => Value;
}

/**
 * The beginning of what a spreadsheet would take for a formula (OWASP, CSV injection): of the value, or of what becomes a cell
 * where the spreadsheet splits lines at semicolons or tabs. An apostrophe behind it prevents that. The service and the command-line
 * client write by the same rule.
 */
const formula = /(^|[;\t\r\n])(["']*)(?=[=+\-@＝＋－＠])/g;
const control = /(?![\t\r\n])\p{Cc}/gu;
const special = /[",;\t\r\n]/;

/** A value as in RFC 4180; a text without control characters and formulas. */
export function csvCell(value: Value): string {
  if (typeof value !== 'string') return String(value ?? '');
  const harmless = value.replace(control, '').replace(formula, "$1$2'");
  return special.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

const lineOf = (fields: Value[]) => fields.map(csvCell).join(',') + '\r\n';

/** Rows as lines of CSV (RFC 4180). */
function toCsv<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string {
  return rows.map((row) => lineOf(columns.map(({ text }) => text(row)))).join('');
}

/** More rows than this would fill the memory of a page, and of spreadsheets. */
export const mostExported = 100_000;

/**
 * All pages as CSV, beginning with the names of the columns: each page becomes text as it arrives, so that its rows need not
 * be kept. Stops at `most` rows, or when it is cancelled.
 */
export async function csvOf<Row>(
  columns: readonly CsvColumn<Row>[],
  pages: AsyncIterable<readonly Row[]>,
  onprogress: (count: number) => void = () => undefined,
  most = mostExported,
): Promise<{ parts: string[]; count: number; isWhole: boolean }> {
  const parts = [lineOf(columns.map(({ title }) => title))];
  let count = 0;
  for await (const rows of pages) {
    const kept = rows.slice(0, most - count);
    parts.push(toCsv(columns, kept));
    count += kept.length;
    onprogress(count);
    if (kept.length < rows.length) return { parts, count, isWhole: false };
  }
  return { parts, count, isWhole: true };
}
