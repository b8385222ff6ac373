import type { Snippet } from 'svelte';

/** One column of a table. */
export interface Column<Row> {
  /** Its name in the address and in the stored choice of columns. */
  key: string;
  title: string;
  /** The content of a cell: as text, which is also exported, ... */
  text: (row: Row) => string | number | boolean | null | undefined;
  /** ... or drawn. */
  cell?: Snippet<[Row]>;
  align?: 'right';
  /** A class for its width, such as `w-40`. */
  width?: string;
  /** Omitted in a narrow window, so that the others are readable. */
  minor?: boolean;
  /** Cut off in a narrow window, so that the others have room. */
  isFlexible?: boolean;
  /** Omitted until somebody chooses it. */
  hidden?: boolean;
  /** The service's name for the order by this column, if there is one. */
  sort?: string;
}

/** The order of a list, `-` before it for the last or largest first. */
export interface Sorting {
  by: string;
  onsort: (by: string) => void;
}

/** The order after a click on the head of a column: first its own way, then the other one. */
export function nextSort({ sort = '' }: Pick<Column<never>, 'sort'>, by: string): string {
  return by === sort ? `-${sort}` : sort;
}

export function ariaSort({ sort }: Pick<Column<never>, 'sort'>, by: string): 'ascending' | 'descending' | undefined {
  if (sort === undefined || by.replace('-', '') !== sort) return undefined;
  return by.startsWith('-') ? 'descending' : 'ascending';
}

const formulas = /^[=+\-@\t\r]/;

function csvField(value: string | number | boolean | null | undefined): string {
  const text = value === null || value === undefined ? '' : String(value);
  // A spreadsheet must not take a text for a formula.
  const safe = typeof value === 'string' && formulas.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const lineOf = (fields: Parameters<typeof csvField>[0][]) => fields.map(csvField).join(',') + '\r\n';

/** Rows as lines of CSV (RFC 4180). */
function toCsv<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  return rows.map((row) => lineOf(columns.map(({ text }) => text(row)))).join('');
}

/** More rows than this would fill the memory of a page, and of spreadsheets. */
export const mostExported = 100_000;

/**
 * All pages as CSV, with the names of the columns first: each page becomes text when it comes, so that its rows need not be
 * kept. Stops at `most` rows, or when somebody cancels.
 */
export async function csvOf<Row>(
  columns: readonly Column<Row>[],
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

/** Offers a text as a file to save. */
export function save(name: string, text: string | string[], type = 'text/csv;charset=utf-8'): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text].flat(), { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** The shown columns of a table, kept on this device. */
export function keptColumns(table: string): string[] | null {
  const text = localStorage.getItem(`columns.${table}`);
  return text === null ? null : text.split(',').filter(Boolean);
}

export function keepColumns(table: string, keys: readonly string[]): void {
  localStorage.setItem(`columns.${table}`, keys.join(','));
}
