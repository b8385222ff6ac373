import type { Snippet } from 'svelte';

/** One column of a table. */
export interface Column<Row> {
  /** Its name in the address and in what is kept of the table. */
  key: string;
  title: string;
  /** What the cell holds: as text, which is also what is exported, ... */
  text: (row: Row) => string | number | boolean | null | undefined;
  /** ... or drawn. */
  cell?: Snippet<[Row]>;
  align?: 'right';
  /** A class for its width, such as `w-40`. */
  width?: string;
  /** Left out where the window is narrow, so that the others can be read. */
  minor?: boolean;
  /** Cut off where the window is narrow, so that the others have their room. */
  isFlexible?: boolean;
  /** Left out until it is chosen. */
  hidden?: boolean;
}

const formulas = /^[=+\-@\t\r]/;

function csvField(value: string | number | boolean | null | undefined): string {
  const text = value === null || value === undefined ? '' : String(value);
  // A sheet must not take a text for a formula.
  const safe = typeof value === 'string' && formulas.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The rows as CSV (RFC 4180). */
export function toCsv<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const lines = [columns.map(({ title }) => title), ...rows.map((row) => columns.map(({ text }) => text(row)))];
  return lines.map((fields) => fields.map(csvField).join(',')).join('\r\n') + '\r\n';
}

/** Offers a text as a file to be saved. */
export function save(name: string, text: string, type = 'text/csv;charset=utf-8'): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Which columns of a table are shown, kept on this device. */
export function keptColumns(table: string): string[] | null {
  const text = localStorage.getItem(`columns.${table}`);
  return text === null ? null : text.split(',').filter(Boolean);
}

export function keepColumns(table: string, keys: readonly string[]): void {
  localStorage.setItem(`columns.${table}`, keys.join(','));
}
