import type { Integration } from '../../scanning/integrations/integrations.shapes.js';
import type { Application } from '../../scanning/profiles/profiles.shapes.js';
import type { Column } from '../output/table.js';
import type { Wire } from '../wire.js';
import { createdColumn, idColumn } from './common-columns.js';
import type { Context } from './context.js';
import { type ListOptions, printList } from './print-list.js';

export interface SearchListOptions extends ListOptions {
  search?: string;
}

const profileColumns: readonly Column<Wire<Application>>[] = [
  idColumn,
  { ...createdColumn, mayGo: true },
  { head: 'SCANNER', value: ({ scannerKind }) => scannerKind, width: 25, least: 10, mayGo: true },
  { head: 'TYPE', value: ({ type }) => type, width: 7, least: 4 },
  { head: 'NAME', value: ({ name }) => name, width: 40, least: 12 },
];

const integrationColumns: readonly Column<Wire<Integration>>[] = [
  idColumn,
  { ...createdColumn, mayGo: true },
  { head: 'KIND', value: ({ kind }) => kind, width: 18, least: 7 },
  {
    head: 'VALID',
    value: ({ valid }) => (valid ? 'yes' : 'no'),
    colour: ({ valid }) => (valid ? undefined : 'red'),
    width: 5,
    least: 5,
  },
  { head: 'NAME', value: ({ name }) => name, width: 40, least: 12 },
];

/** `profiles list`. */
export async function listProfiles(context: Context, options: SearchListOptions): Promise<void> {
  await printList(context, 'profiles', { search: options.search }, profileColumns, options);
}

/** `integrations list`. */
export async function listIntegrations(context: Context, options: SearchListOptions): Promise<void> {
  await printList(context, 'integrations', { search: options.search }, integrationColumns, options);
}
