import type { Product } from './catalogue.shapes.js';

/** What a product is to those who write it. */
export type ProductFields = Omit<Product, 'id' | 'created_at'>;

const fieldNames = ['name', 'description', 'price', 'stock', 'color', 'material', 'size', 'image_url'] as const;
export const productFieldNames: readonly (keyof ProductFields)[] = fieldNames;

/** The columns of the file, in the order of an export. */
export const csvColumns = ['id', ...fieldNames] as const;
export type CsvColumn = (typeof csvColumns)[number];

/** What a spreadsheet takes for a formula (OWASP, CSV injection), and what we wrote to keep it from that. */
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

/** The text of a cell as it was before an export kept it from being taken for a formula. */
export function textOfCell(cell: string): string {
  return cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell;
}
