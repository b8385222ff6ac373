type Value = string | number | boolean | null | undefined;

interface CsvColumn<Row> {
  title: string;
  text: (row: Row) => Value;
}

const formulas = /^[=+\-@\t\r]/;

function csvField(value: Value): string {
  const text = value === null || value === undefined ? '' : String(value);
  // A spreadsheet must not take a text for a formula.
  const safe = typeof value === 'string' && formulas.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const lineOf = (fields: Parameters<typeof csvField>[0][]) => fields.map(csvField).join(',') + '\r\n';

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
