import { pages } from '../api/pages.js';
import type { Query } from '../api/api-client.js';
import { JsonArray } from '../output/json.js';
import { type Column, Table } from '../output/table.js';
import type { Context } from './context.js';
import type { OutputFormat } from './options.js';

export interface ListOptions {
  output: OutputFormat;
  limit: number;
}

/** Prints a list of the service page by page, so that the first lines appear early. */
export async function printList<Row>(
  { api, output, notify }: Context,
  path: string,
  query: Query,
  columns: readonly Column<Row>[],
  { output: format, limit }: ListOptions,
): Promise<void> {
  const array = format === 'json' ? new JsonArray(output) : null;
  const table = new Table(output, columns);
  let isEmpty = true;
  for await (const page of pages<Row>(api, path, query, limit)) {
    isEmpty &&= page.length === 0;
    await (array ?? table).print(page);
  }
  await array?.end();
  if (isEmpty && output.isTerminal) notify('Nothing matches: wider filters, or another key, may show more');
}
