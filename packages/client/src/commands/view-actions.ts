import type { IssueConditions, View, ViewsCreateData } from '@store-service/sdk';
import { type List, parts } from '../api/pages.js';
import { exitCodes, Failure } from '../failure.js';
import { printDetails } from '../output/details.js';
import { printJson } from '../output/json.js';
import type { Output } from '../output/output.js';
import type { Column } from '../output/table.js';
import { createdColumn, idColumn } from './common-columns.js';
import type { Context } from './context.js';
import type { OutputFormat } from './options.js';
import { type ListOptions, printList } from './print-list.js';
import { printDeleted } from './resource.js';

export interface ViewCreation {
  filter: string;
  sort: ViewsCreateData['body']['sort'];
  shared?: true;
  output: OutputFormat;
}

const wholeId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const columns: readonly Column<View>[] = [
  idColumn,
  { ...createdColumn, mayGo: true },
  { head: 'SHARED', value: ({ shared }) => (shared ? 'yes' : 'no'), width: 6, least: 6 },
  { head: 'SORT', value: ({ sort }) => sort, width: 9, least: 9, mayGo: true },
  { head: 'NAME', value: ({ name }) => name, width: 40, least: 12 },
];

function listOf({ api }: Context): List<View> {
  return (query) => api.views.list({ query });
}

/** The view of a name, or an id. */
export async function viewNamed(context: Context, given: string): Promise<View> {
  if (wholeId.test(given)) return (await context.api.views.get({ path: { id: given } })).data;
  const names: string[] = [];
  for await (const { entries } of parts(listOf(context), Infinity)) {
    const found = entries.find(({ name }) => name === given);
    if (found) return found;
    names.push(...entries.map(({ name }) => name));
  }
  const there = names.length === 0 ? 'none is saved yet' : `there are: ${names.join(', ')}`;
  throw new Failure(`There is no view "${given}"; ${there}`, exitCodes.notFound);
}

async function print(output: Output, view: View, format: OutputFormat): Promise<void> {
  if (format === 'json') return printJson(output, view);
  await printDetails(output, [
    ['ID', view.id],
    ['NAME', view.name],
    ['SHARED', view.shared ? 'yes' : 'no'],
    ['SORT', view.sort],
    ['CREATED AT', view.createdAt],
    ...Object.entries(view.filter).map(([name, value]) => [name.toUpperCase(), [value].flat().join(', ')] as const),
  ]);
}

/** `views list`. */
export async function listViews(context: Context, options: ListOptions): Promise<void> {
  await printList(context, listOf(context), columns, options);
}

/** `views show`. */
export async function showView(context: Context, given: string, format: OutputFormat): Promise<void> {
  await print(context.output, await viewNamed(context, given), format);
}

/** The service checks what the filter holds. */
function filterIn(text: string): IssueConditions {
  try {
    return JSON.parse(text) as IssueConditions;
  } catch {
    throw new Failure(`--filter is no JSON: ${text}`, exitCodes.usage);
  }
}

/** `views create`. */
export async function createView(context: Context, name: string, options: ViewCreation): Promise<void> {
  const { filter, sort, shared = false, output: format } = options;
  const { data: view } = await context.api.views.create({ body: { name, shared, sort, filter: filterIn(filter) } });
  await print(context.output, view, format);
}

/** `views delete`. */
export async function deleteView(context: Context, given: string, format: OutputFormat): Promise<void> {
  const { id } = await viewNamed(context, given);
  await context.api.views.remove({ path: { id } });
  await printDeleted(context.output, id, format);
}
