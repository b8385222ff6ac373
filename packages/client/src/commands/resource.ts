import { type GivenKind, latest, resolveId } from '../api/ids.js';
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

interface ResourceForm<Row> {
  /** The list, below `/api/v1`. */
  path: string;
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
  path,
  kind,
  columns,
  details,
  toBody = (read) => read,
}: ResourceForm<Row>): Resource {
  async function print({ output }: Context, row: Row, format: OutputFormat): Promise<void> {
    if (format === 'json') await printJson(output, row);
    else await printDetails(output, [['ID', row.id], ...details(row)]);
  }
  async function bodyOf({ surroundings }: Context, file: string): Promise<Record<string, unknown>> {
    const read = await readJsonFile(surroundings, file);
    return toBody(Object.fromEntries(Object.entries(read).filter(([name]) => !readOnly.has(name))));
  }
  return {
    list: (context, options) => printList(context, path, { search: options.search }, columns, options),
    async show(context, given, format) {
      const id = await resolveId(context.api, kind, given);
      await print(context, await context.api.get<Row>(`${path}/${id}`), format);
    },
    async create(context, file, format) {
      const body = await bodyOf(context, file);
      await print(context, await context.api.send<Row>('POST', path, body), format);
    },
    async update(context, given, file, format) {
      const body = await bodyOf(context, file);
      const id = await resolveId(context.api, kind, given);
      await print(context, await context.api.send<Row>('PATCH', `${path}/${id}`, body), format);
    },
    async remove(context, given, format) {
      const id = await idToDelete(context, kind, given);
      await context.api.order('DELETE', `${path}/${id}`);
      await printDeleted(context.output, id, format);
    },
  };
}
