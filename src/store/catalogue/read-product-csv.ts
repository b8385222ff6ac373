import { isUtf8 } from 'node:buffer';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { CsvError, parse } from 'csv-parse';
import { PayloadTooLarge } from '../../platform/errors/errors.js';
import { nearestName } from '../../platform/validation/nearest-name.js';
import { type CsvColumn, csvColumns, textOfCell } from './product-csv.js';

const maxProducts = 10_000;
/** More than the fields of a product may hold together. */
const maxRecordBytes = 180_000;
const newline = 0x0a;
const carriageReturn = 0x0d;
const lineEnd = /[\r\n]/;
const sliceBytes = 65_536;

/** A fault in a line of the file. */
export interface CsvFault {
  line: number;
  /** The column, or null if the fault is the line's own. */
  field: string | null;
  detail: string;
}

/** The cells of a line, by their columns. */
export interface CsvRow {
  line: number;
  cells: Partial<Record<CsvColumn, string>>;
}

const unreadable: Record<string, string> = {
  CSV_QUOTE_NOT_CLOSED: 'A quote is opened but not closed',
  INVALID_OPENING_QUOTE: 'A quote is inside a value: put the value in quotes, and double the quote',
  CSV_INVALID_CLOSING_QUOTE: 'After a closing quote there should be the next column: double a quote within a value',
  CSV_MAX_RECORD_SIZE: 'The line is longer than any product: a quote may be opened but not closed',
};

/** Decodes the file as UTF-8: spreadsheets save "Unicode text" as UTF-16. */
function asUtf8(bytes: Buffer): Buffer {
  const isLittle = bytes[0] === 0xff && bytes[1] === 0xfe;
  const isBig = bytes[0] === 0xfe && bytes[1] === 0xff;
  if (!isLittle && !isBig) return bytes;
  return Buffer.from(new TextDecoder(isLittle ? 'utf-16le' : 'utf-16be').decode(bytes));
}

function lineWithoutUtf8(bytes: Buffer): number {
  for (let line = 1, start = 0; ; line++) {
    const found = bytes.indexOf(newline, start);
    const end = found === -1 ? bytes.length : found;
    if (found === -1 || !isUtf8(bytes.subarray(start, end))) return line;
    start = end + 1;
  }
}

/** The delimiter of spreadsheets that the first line has most of. */
function delimiterOf(bytes: Buffer): string {
  const [head = ''] = bytes.subarray(0, sliceBytes).toString().split(lineEnd);
  const counts = [',', ';', '\t'].map((delimiter) => ({ delimiter, count: head.split(delimiter).length }));
  return counts.reduce((best, one) => (one.count > best.count ? one : best)).delimiter;
}

/** Counts the lines up to a byte of the file, continuing where it stopped. */
class LineCount {
  private at = 0;
  private line = 1;

  constructor(private readonly bytes: Buffer) {}

  /** The number of the line that holds the byte. */
  to(byte: number): number {
    for (; this.at < byte; this.at++) {
      const isEnd = this.bytes[this.at] === carriageReturn && this.bytes[this.at + 1] !== newline;
      if (isEnd || this.bytes[this.at] === newline) this.line++;
    }
    return this.line;
  }

  /** The next line that is not blank. */
  next(): number {
    while (this.bytes[this.at] === newline || this.bytes[this.at] === carriageReturn) this.to(this.at + 1);
    return this.line;
  }
}

function faultOfName(name: string, before: readonly string[]): string | null {
  if (name === '') return 'The column has no name';
  if (before.includes(name)) return 'The column appears twice: remove one';
  if ((csvColumns as readonly string[]).includes(name)) return null;
  const near = nearestName(name, csvColumns);
  return near === undefined
    ? `There is no such column: the columns are ${csvColumns.join(', ')}`
    : `Did you mean "${near}"?`;
}

/** The state of reading a file: its head, its rows, and its faults. */
class ProductFile {
  readonly rows: CsvRow[] = [];
  readonly faults: CsvFault[] = [];
  /** Whether all columns are known, and none appears twice. */
  headIsGood = false;
  private head: string[] | undefined;

  take(record: readonly string[], line: number): void {
    if (this.head === undefined) this.takeHead(record, line);
    else if (!this.headIsGood) return;
    else if (record.length === this.head.length) this.takeRow(record, line);
    else this.note(line, `The line has ${record.length} columns, and the first line ${this.head.length}`);
  }

  note(line: number, detail: string, field: string | null = null): void {
    this.faults.push({ line, field, detail });
  }

  private takeHead(record: readonly string[], line: number): void {
    const names = record.map((name) => name.trim().toLowerCase());
    for (const [n, name] of names.entries()) {
      const fault = faultOfName(name, names.slice(0, n));
      if (fault !== null) this.note(line, fault, name.slice(0, 100) || null);
    }
    this.head = names;
    this.headIsGood = this.faults.length === 0;
  }

  private takeRow(record: readonly string[], line: number): void {
    if (this.rows.length === maxProducts) {
      throw new PayloadTooLarge(`A file may have at most ${maxProducts} products: send several files`);
    }
    const cells = Object.fromEntries((this.head ?? []).map((name, n) => [name, textOfCell(record[n] ?? '')]));
    this.rows.push({ line, cells });
  }
}

/** The file in pieces, between which the service serves other requests. */
async function* slicesOf(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += sliceBytes) {
    yield bytes.subarray(start, start + sliceBytes);
    await setImmediate();
  }
}

async function readInto(file: ProductFile, bytes: Buffer): Promise<void> {
  const lines = new LineCount(bytes);
  const parser = parse({
    bom: true,
    delimiter: delimiterOf(bytes),
    max_record_size: maxRecordBytes,
    on_record: (record: string[], context) => {
      const line = lines.next();
      // Spreadsheets save emptied lines as bare delimiters.
      if (record.some((cell) => cell.trim() !== '')) file.take(record, line);
      lines.to(context.bytes);
      return null;
    },
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
  });
  try {
    await pipeline(slicesOf(bytes), parser.resume());
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    file.note(lines.next(), unreadable[error.code] ?? 'The line cannot be read as CSV');
  }
}

/**
 * Reads a file of products: the first line names the columns, in any order. It stops at a line that it cannot read.
 * Throws `PayloadTooLarge` for more than 10,000 products.
 */
export async function readProductCsv(sent: Buffer): Promise<{ rows: CsvRow[]; faults: CsvFault[] }> {
  const bytes = asUtf8(sent);
  const file = new ProductFile();
  if (isUtf8(bytes)) await readInto(file, bytes);
  else file.note(lineWithoutUtf8(bytes), 'The line is not UTF-8: save the file as "CSV UTF-8"');
  if (file.faults.length === 0 && !file.headIsGood) {
    file.note(1, 'The file is empty: its first line should name the columns');
  }
  return { rows: file.rows, faults: file.faults };
}
