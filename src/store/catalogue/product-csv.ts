import type { Product } from './catalogue.dto.js';

/** The fields of a product that its editors write. */
export type ProductFields = Omit<Product, 'id' | 'created_at'>;

const fieldNames = ['name', 'description', 'price', 'stock', 'color', 'material', 'size', 'image_url'] as const;
export const productFieldNames: readonly (keyof ProductFields)[] = fieldNames;

/** The columns of the file, in the order of an export. */
export const csvColumns = ['id', ...fieldNames] as const;
export type CsvColumn = (typeof csvColumns)[number];

/**
 * The beginning of what a spreadsheet would take for a formula (OWASP, CSV injection): of the cell, or of what becomes a cell
 * where the spreadsheet splits lines at semicolons or tabs. An apostrophe behind it prevents that. The console and the
 * command-line client write by the same rule.
 */
const formula = /(^|[;\t\r\n])(["']*)(?=[=+\-@＝＋－＠])/g;
const defusedFormula = /(^|[;\t\r\n])(["']*)'(?=[=+\-@＝＋－＠])/g;
const control = /(?![\t\r\n])\p{Cc}/gu;
const special = /[",;\t\r\n]/;

// The mark of UTF-8: without it, spreadsheets take letters beyond ASCII for others, and save those.
const byteOrderMark = '\uFEFF';
export const csvHead = `${byteOrderMark}${csvColumns.join(',')}\r\n`;

export function csvCell(value: string | number | null): string {
  if (typeof value === 'number') return String(value);
  if (value === null) return '';
  const harmless = value.replace(control, '').replace(formula, "$1$2'");
  return special.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** A product as a line of the file (RFC 4180). */
export function csvLine(product: Product): string {
  return `${csvColumns.map((column) => csvCell(product[column])).join(',')}\r\n`;
}

/** The text of a cell without the apostrophes that an export gave it. */
export function textOfCell(cell: string): string {
  return cell.replace(defusedFormula, '$1$2');
}
