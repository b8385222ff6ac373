import type { Integration as IntegrationShape } from '../../scanning/integrations/integrations.shapes.js';
import type { Proxy } from '../../scanning/locations/locations.shapes.js';
import type { Application } from '../../scanning/profiles/profiles.shapes.js';
import type { Tag as TagShape } from '../../scanning/tags/tags.shapes.js';
import { type GivenKind, resolveId } from '../api/ids.js';
import { type Detail, printDetails } from '../output/details.js';
import { printJson } from '../output/json.js';
import type { Column } from '../output/table.js';
import type { Wire } from '../wire.js';
import { createdColumn, idColumn } from './common-columns.js';
import type { Context } from './context.js';
import type { OutputFormat } from './options.js';
import { type ListOptions, printList } from './print-list.js';

type Profile = Wire<Application>;
type Integration = Wire<IntegrationShape>;
type Location = Wire<Proxy>;
type Tag = Wire<TagShape>;

export interface SearchListOptions extends ListOptions {
  search?: string;
}

const profileColumns: readonly Column<Profile>[] = [
  idColumn,
  { ...createdColumn, mayGo: true },
  { head: 'SCANNER', value: ({ scannerKind }) => scannerKind, width: 25, least: 10, mayGo: true },
  { head: 'TYPE', value: ({ type }) => type, width: 7, least: 4 },
  { head: 'NAME', value: ({ name }) => name, width: 40, least: 12 },
];

const integrationColumns: readonly Column<Integration>[] = [
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

const locationColumns: readonly Column<Location>[] = [
  idColumn,
  { ...createdColumn, mayGo: true },
  { head: 'TYPE', value: ({ type }) => type, width: 8, least: 7 },
  { head: 'ENABLED', value: ({ enabled }) => (enabled ? 'yes' : 'no'), width: 7, least: 7 },
  { head: 'TARGET', value: ({ target }) => target, width: 32, least: 12, mayGo: true },
  { head: 'NAME', value: ({ name }) => name, width: 40, least: 12 },
];

const tagColumns: readonly Column<Tag>[] = [
  idColumn,
  { ...createdColumn, mayGo: true },
  { head: 'COLOR', value: ({ color }) => color ?? '-', width: 9, least: 7, mayGo: true },
  { head: 'NAME', value: ({ name }) => name, width: 40, least: 12 },
];

/** Prints one resource, which all of its details tell of. */
async function show<Row extends { id: string }>(
  { api, output }: Context,
  [path, kind]: [path: string, kind: GivenKind],
  given: string,
  format: OutputFormat,
  details: (row: Row) => Detail[],
): Promise<void> {
  const row = await api.get<Row>(`${path}/${await resolveId(api, kind, given)}`);
  if (format === 'json') return printJson(output, row);
  await printDetails(output, [['ID', row.id], ...details(row)]);
}

/** `profiles list`. */
export async function listProfiles(context: Context, options: SearchListOptions): Promise<void> {
  await printList(context, 'profiles', { search: options.search }, profileColumns, options);
}

/** `integrations list`. */
export async function listIntegrations(context: Context, options: SearchListOptions): Promise<void> {
  await printList(context, 'integrations', { search: options.search }, integrationColumns, options);
}

/** `locations list`. */
export async function listLocations(context: Context, options: SearchListOptions): Promise<void> {
  await printList(context, 'locations', { search: options.search }, locationColumns, options);
}

/** `tags list`. */
export async function listTags(context: Context, options: SearchListOptions): Promise<void> {
  await printList(context, 'tags', { search: options.search }, tagColumns, options);
}

/** `profiles get`. */
export async function showProfile(context: Context, given: string, format: OutputFormat): Promise<void> {
  await show<Profile>(context, ['profiles', 'PROFILE'], given, format, (profile) => [
    ['NAME', profile.name],
    ['SCANNER', profile.scannerKind],
    ['TYPE', profile.type],
    ['CREATED AT', profile.createdAt],
    ['UPDATED AT', profile.updatedAt],
  ]);
}

/** `integrations get`. */
export async function showIntegration(context: Context, given: string, format: OutputFormat): Promise<void> {
  await show<Integration>(context, ['integrations', 'INTEGRATION'], given, format, (integration) => [
    ['NAME', integration.name],
    ['KIND', integration.kind],
    ['VALID', integration.valid ? 'yes' : 'no'],
    ['PARAMETERS', JSON.stringify(integration.parameters)],
    ['CREATED AT', integration.createdAt],
    ['UPDATED AT', integration.updatedAt],
  ]);
}

/** `locations get`. */
export async function showLocation(context: Context, given: string, format: OutputFormat): Promise<void> {
  await show<Location>(context, ['locations', 'LOCATION'], given, format, (location) => [
    ['NAME', location.name],
    ['TYPE', location.type],
    ['TARGET', location.target],
    ['IP', location.ip],
    ['REGION', location.region],
    ['ENABLED', location.enabled ? 'yes' : 'no'],
    ['CREATED AT', location.createdAt],
  ]);
}
