/**
 * The beginning of what a spreadsheet would take for a formula (OWASP, CSV injection): of the cell, or of what becomes a cell
 * where the spreadsheet splits lines at semicolons or tabs. An apostrophe behind it prevents that. The console and the
 * command-line client write by the same rule.
 */
const formula = /(^|[;\t\r\n])(["']*)(?=[=+\-@＝＋－＠])/g;
const control = /(?![\t\r\n])\p{Cc}/gu;
const special = /[",;\t\r\n]/;

/** The mark of UTF-8: without it, spreadsheets take letters beyond ASCII for others, and save those. */
export const byteOrderMark = '\uFEFF';

/** A value as a cell of a file of comma-separated values (RFC 4180). */
export function csvCell(value: string | number | null): string {
  if (typeof value === 'number') return String(value);
  if (value === null) return '';
  const harmless = value.replace(control, '').replace(formula, "$1$2'");
  return special.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
