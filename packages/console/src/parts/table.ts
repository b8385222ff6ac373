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
  /** Omitted if there is no room for it beside an open item. */
  isWide?: boolean;
  /** Its head is not drawn in a narrow window, where its cells are only signs. */
  isBrief?: boolean;
  /** Takes further lines in a narrow window, so that the others have room. */
  isFlexible?: boolean;
  /** Omitted until somebody chooses it. */
  hidden?: boolean;
  /** The service's name for the order by this column, if there is one. */
  sort?: string;
}

/** A row in its place. */
export interface Line<Row> {
  row: Row;
  index: number;
  isLater?: boolean;
  isAway?: boolean;
}

/** The order of a list, `-` before it for the last or largest first. */
export interface Sorting {
  by: string;
  onsort: (by: string) => void;
}

/** The order after a click on the head of a column: first its natural one, then the reverse. */
export function nextSort({ sort = '' }: Pick<Column<never>, 'sort'>, by: string): string {
  return by === sort ? `-${sort}` : sort;
}

export function ariaSort({ sort }: Pick<Column<never>, 'sort'>, by: string): 'ascending' | 'descending' | undefined {
  if (sort === undefined || by.replace('-', '') !== sort) return undefined;
  return by.startsWith('-') ? 'descending' : 'ascending';
}

/** Offers a text for download as a file. */
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
