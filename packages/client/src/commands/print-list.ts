import { type List, parts } from '../api/pages.js';
import { Csv } from '../output/csv.js';
import { JsonArray } from '../output/json.js';
import { JsonLines } from '../output/json-lines.js';
import type { Output } from '../output/output.js';
import { type Column, Table } from '../output/table.js';
import type { Context } from './context.js';
import type { ListFormat } from './options.js';

export interface ListOptions {
  output: ListFormat;
  limit: number;
  all?: true;
}

/** Prints the entries of a list as they come. */
export interface ListPrinter<Row> {
  print: (rows: readonly Row[]) => Promise<void>;
  end?: () => Promise<void>;
}

export function listPrinter<Row>(
  output: Output,
  format: ListFormat,
  columns: readonly Column<Row>[],
): ListPrinter<Row> {
  if (format === 'json') return new JsonArray(output);
  if (format === 'jsonl') return new JsonLines(output);
  return format === 'csv' ? new Csv(output, columns) : new Table(output, columns);
}

const countedUpTo = 10_000;

const grouped = (count: number) => count.toLocaleString('en-US');

/** The number of entries in a list, in words; null if the service does not say. */
async function totalOf<Row>(list: List<Row>): Promise<string | null> {
  try {
    const { totalCount } = (await list({ size: 1, total: true })).data;
    if (totalCount === undefined) return null;
    return totalCount > countedUpTo ? `more than ${grouped(countedUpTo)}` : grouped(totalCount);
  } catch {
    return null; // a service that takes too long to count
  }
}

/** Prints a list of the service page by page, so that the first lines appear early; of a `counted` list, also how long it is. */
export async function printList<Row>(
  { output, notify }: Context,
  list: List<Row>,
  columns: readonly Column<Row>[],
  { output: format, limit, all }: ListOptions,
  isCounted: 'counted' | 'not counted' = 'not counted',
): Promise<void> {
  const printer = listPrinter(output, format, columns);
  let shown = 0;
  let isCut = false;
  for await (const part of parts(list, all ? Infinity : limit)) {
    await printer.print(part.entries);
    shown += part.entries.length;
    isCut = part.isCut;
  }
  await printer.end?.();
  if (shown === 0 && output.isTerminal) notify('Nothing matches: wider filters, or another key, may show more');
  if (!isCut) return;
  const total = isCounted === 'counted' ? await totalOf(list) : null;
  const howMany =
    total === null ? `${grouped(shown)} shown, and there are more` : `${grouped(shown)} of ${total} shown`;
  notify(`${howMany}: --limit, or --all`);
}
