import type { Asset as AssetShape } from '../../scanning/assets/assets.shapes.js';
import { resolveId } from '../api/ids.js';
import { type Detail, printDetails } from '../output/details.js';
import { printJson } from '../output/json.js';
import type { Column } from '../output/table.js';
import type { Wire } from '../wire.js';
import { createdColumn, idColumn } from './common-columns.js';
import type { Context } from './context.js';
import type { OutputFormat } from './options.js';
import { type ListOptions, printList } from './print-list.js';

type Asset = Wire<AssetShape>;

export interface ListAssetsOptions extends ListOptions {
  search?: string;
  classes?: string[];
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
  await printList(context, 'assets', { search, classes }, columns, options);
}

function plain(value: unknown): string | null {
  if (Array.isArray(value)) return value.every((one) => typeof one === 'string') ? value.join(', ') : null;
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

/** The detail of the asset's class, as far as it is one line. */
function detailLines({ service, frontend, host, repository, schema }: Asset): Detail[] {
  const detail: object = service ?? frontend ?? host ?? repository ?? schema ?? {};
  const shown = Object.entries(detail).filter(([name]) => name !== 'id' && name !== 'type');
  return shown.map(([name, value]) => [name.replace(/[A-Z]/g, ' $&').toUpperCase(), plain(value)] as const);
}

/** `assets get`. */
export async function showAsset({ api, output }: Context, given: string, format: OutputFormat): Promise<void> {
  const asset = await api.get<Asset>(`assets/${await resolveId(api, 'ASSET', given)}`);
  if (format === 'json') return printJson(output, asset);
  await printDetails(output, [
    ['ID', asset.id],
    ['NAME', asset.name],
    ['CLASS', asset.class],
    ['TYPE', asset.type],
    ['ASSET URI', asset.uri],
    ['TAGS', asset.tags.map(({ name }) => name).join(', ')],
    ['CREATED AT', asset.createdAt],
    ...detailLines(asset),
  ]);
}
