import type { StoreClient } from '@store-service/sdk';
import { type GivenKind, latest, resolveId } from '../api/ids.js';
import type { List, Paging } from '../api/pages.js';
import { exitCodes, Failure } from '../failure.js';
import { type Detail, printDetails } from '../output/details.js';
import { printJson } from '../output/json.js';
import type { Output } from '../output/output.js';
import type { Column } from '../output/table.js';
import type { Context } from './context.js';
import { readJsonFile } from './json-file.js';
import type { OutputFormat } from './options.js';
import { type ListOptions, printList } from './print-list.js';

export interface SearchListOptions extends ListOptions {
  search?: string;
}

/** The implementation of the commands of one kind of resource. */
export interface Resource {
  list: (context: Context, options: SearchListOptions) => Promise<void>;
  show: (context: Context, given: string, format: OutputFormat) => Promise<void>;
  create: (context: Context, file: string, format: OutputFormat) => Promise<void>;
  update: (context: Context, given: string, file: string, format: OutputFormat) => Promise<void>;
  remove: (context: Context, given: string, format: OutputFormat) => Promise<void>;
}

/** What the SDK does with every kind of resource. */
interface Operations<Row> {
  list: (options: { query: Paging & { search?: string | undefined } }) => ReturnType<List<Row>>;
  get: (options: { path: { id: string } }) => Promise<{ data: Row }>;
  create: (options: { body: object }) => Promise<{ data: Row }>;
  update: (options: { path: { id: string }; body: object }) => Promise<{ data: Row }>;
  remove: (options: { path: { id: string } }) => Promise<unknown>;
}

interface ResourceForm<Row> {
  /** Its operations in the SDK. */
  group: 'assets' | 'integrations' | 'locations' | 'profiles' | 'tags';
  kind: Exclude<GivenKind, 'API_KEY'>;
  columns: readonly Column<Row>[];
  details: (row: Row) => Detail[];
  /** Turns a resource as read into one as sent: what `get -o json` prints can be changed and sent back. */
  toBody?: (read: Record<string, unknown>) => Record<string, unknown>;
}

/** The fields that every resource is read with, and that are never sent. */
const readOnly = new Set(['id', 'createdAt', 'updatedAt']);

/** Reports that something was deleted. */
export async function printDeleted(output: Output, id: string, format: OutputFormat): Promise<void> {
  if (format === 'json') await printJson(output, { id });
  else await printDetails(output, [['DELETED', id]]);
}

/** The id of what to delete. Does not accept `latest`, since it cannot be undone. */
export async function idToDelete({ api }: Context, kind: GivenKind, given: string): Promise<string> {
  if (given === latest) throw new Failure('Say which one: its id, as list shows it', exitCodes.usage);
  return resolveId(api, kind, given);
}

export function resource<Row extends { id: string }>({
  group,
  kind,
  columns,
  details,
  toBody = (read) => read,
}: ResourceForm<Row>): Resource {
  // What is sent stands in a file, and the service checks it.
  const operations = (api: StoreClient) => api[group] as unknown as Operations<Row>;
  async function print({ output }: Context, row: Row, format: OutputFormat): Promise<void> {
    if (format === 'json') await printJson(output, row);
    else await printDetails(output, [['ID', row.id], ...details(row)]);
  }
  async function bodyOf({ surroundings }: Context, file: string): Promise<Record<string, unknown>> {
    const read = await readJsonFile(surroundings, file);
    return toBody(Object.fromEntries(Object.entries(read).filter(([name]) => !readOnly.has(name))));
  }
  return {
    list: (context, { search, ...options }) => {
      const resources = operations(context.api);
      return printList(context, (paging) => resources.list({ query: { search, ...paging } }), columns, options);
    },
    async show(context, given, format) {
      const id = await resolveId(context.api, kind, given);
      await print(context, (await operations(context.api).get({ path: { id } })).data, format);
    },
    async create(context, file, format) {
      const body = await bodyOf(context, file);
      await print(context, (await operations(context.api).create({ body })).data, format);
    },
    async update(context, given, file, format) {
      const body = await bodyOf(context, file);
      const id = await resolveId(context.api, kind, given);
      await print(context, (await operations(context.api).update({ path: { id }, body })).data, format);
    },
    async remove(context, given, format) {
      const id = await idToDelete(context, kind, given);
      await operations(context.api).remove({ path: { id } });
      await printDeleted(context.output, id, format);
    },
  };
}
