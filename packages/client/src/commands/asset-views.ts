import type { Asset, AssetClass } from '@store-service/sdk';
import type { List } from '../api/pages.js';
import type { Detail } from '../output/details.js';
import type { Column } from '../output/table.js';
import { createdColumn, idColumn } from './common-columns.js';
import type { Context } from './context.js';
import { type ListOptions, printList } from './print-list.js';
import { resource } from './resource.js';

export interface ListAssetsOptions extends ListOptions {
  search?: string;
  classes?: AssetClass[];
}

const columns: readonly Column<Asset>[] = [
  idColumn,
  { ...createdColumn, mayGo: true },
  { head: 'CLASS', value: (asset) => asset.class, width: 15, least: 8 },
  { head: 'TYPE', value: ({ type }) => type, width: 20, least: 6, mayGo: true },
  { head: 'NAME', value: ({ name }) => name, width: 40, least: 12 },
];

/** `assets list`. */
export async function listAssets(context: Context, options: ListAssetsOptions): Promise<void> {
  const { search, classes } = options;
  const list: List<Asset> = (paging) => context.api.assets.list({ query: { search, classes, ...paging } });
  await printList(context, list, columns, options, 'counted');
}

function plain(value: unknown): string | null {
  if (Array.isArray(value)) return value.every((one) => typeof one === 'string') ? value.join(', ') : null;
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

/** The detail of the asset's class, if it fits on one line. */
function detailLines({ service, frontend, host, repository, schema }: Asset): Detail[] {
  const detail: object = service ?? frontend ?? host ?? repository ?? schema ?? {};
  const shown = Object.entries(detail).filter(([name]) => name !== 'id' && name !== 'type');
  return shown.map(([name, value]) => [name.replace(/[A-Z]/g, ' $&').toUpperCase(), plain(value)] as const);
}

const notSent = new Set(['uri', 'openIssues', 'cloudComponent', 'tags']);

/** Details and their records have ids when read, and are sent without. */
function withoutIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutIds);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => name !== 'id');
  return Object.fromEntries(kept.map(([name, part]) => [name, withoutIds(part)]));
}

/** An asset is read with its tags, and sent with their ids. */
function toBody(read: Record<string, unknown>): Record<string, unknown> {
  const { tags } = read as Partial<Asset>;
  const sent = Object.entries(read).filter(([name]) => !notSent.has(name));
  const body = Object.fromEntries(sent.map(([name, part]) => [name, withoutIds(part)]));
  return Array.isArray(tags) ? { tagIds: tags.map(({ id }) => id), ...body } : body;
}

export const assets = resource<Asset>({
  group: 'assets',
  kind: 'ASSET',
  columns,
  details: (asset) => [
    ['NAME', asset.name],
    ['CLASS', asset.class],
    ['TYPE', asset.type],
    ['ASSET URI', asset.uri],
    ['TAGS', asset.tags.map(({ name }) => name).join(', ')],
    ['CREATED AT', asset.createdAt],
    ...detailLines(asset),
  ],
  toBody,
});
