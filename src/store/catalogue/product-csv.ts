import type { Product } from './catalogue.shapes.js';

/** The fields of a product that its editors write. */
export type ProductFields = Omit<Product, 'id' | 'created_at'>;

const fieldNames = ['name', 'description', 'price', 'stock', 'color', 'material', 'size', 'image_url'] as const;
export const productFieldNames: readonly (keyof ProductFields)[] = fieldNames;

/** The columns of the file, in the order of an export. */
export const csvColumns = ['id', ...fieldNames] as const;
export type CsvColumn = (typeof csvColumns)[number];

/** Cells that a spreadsheet would take for a formula (OWASP, CSV injection), and our prefix that prevents it. */
const formula = /^'*[=+\-@\t\r\n＝＋－＠]/;
const special = /[",\r\n]/;

// The mark of UTF-8: without it, spreadsheets take letters beyond ASCII for others, and save those.
const byteOrderMark = '\uFEFF';
export const csvHead = `${byteOrderMark}${csvColumns.join(',')}\r\n`;

function cellOf(value: string | number | null): string {
  if (typeof value === 'number') return String(value);
  if (value === null) return '';
  const harmless = formula.test(value) ? `'${value}` : value;
  return special.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** A product as a line of the file (RFC 4180). */
export function csvLine(product: Product): string {
  return `${csvColumns.map((column) => cellOf(product[column])).join(',')}\r\n`;
}

/** The text of a cell without the prefix that an export gave it. */
export function textOfCell(cell: string): string {
  return cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell;
}
