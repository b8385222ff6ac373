import type { Integration as IntegrationShape } from '../../scanning/integrations/integrations.shapes.js';
import type { Proxy } from '../../scanning/locations/locations.shapes.js';
import type { Application } from '../../scanning/profiles/profiles.shapes.js';
import type { Tag as TagShape } from '../../scanning/tags/tags.shapes.js';
import { resolveId } from '../api/ids.js';
import { type Detail, printDetails } from '../output/details.js';
import { printJson } from '../output/json.js';
import type { Output } from '../output/output.js';
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

/** Prints one resource: its id, and the details that `details` takes of it. */
async function printOne(output: Output, row: { id: string }, format: OutputFormat, details: Detail[]): Promise<void> {
  if (format === 'json') await printJson(output, row);
  else await printDetails(output, [['ID', row.id], ...details]);
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
  const id = await resolveId(context.api, 'PROFILE', given);
  const profile = await context.api.get<Profile>(`profiles/${id}`);
  await printOne(context.output, profile, format, [
    ['NAME', profile.name],
    ['SCANNER', profile.scannerKind],
    ['TYPE', profile.type],
    ['CREATED AT', profile.createdAt],
    ['UPDATED AT', profile.updatedAt],
  ]);
}

/** `integrations get`. */
export async function showIntegration(context: Context, given: string, format: OutputFormat): Promise<void> {
  const id = await resolveId(context.api, 'INTEGRATION', given);
  const integration = await context.api.get<Integration>(`integrations/${id}`);
  await printOne(context.output, integration, format, [
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
  const id = await resolveId(context.api, 'LOCATION', given);
  const location = await context.api.get<Location>(`locations/${id}`);
  await printOne(context.output, location, format, [
    ['NAME', location.name],
    ['TYPE', location.type],
    ['TARGET', location.target],
    ['IP', location.ip],
    ['REGION', location.region],
    ['ENABLED', location.enabled ? 'yes' : 'no'],
    ['CREATED AT', location.createdAt],
  ]);
}
