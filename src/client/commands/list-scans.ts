import type { ResourceScan } from '../../scanning/scans/scans.shapes.js';
import type { Column } from '../output/table.js';
import type { Wire } from '../wire.js';
import type { Context } from './context.js';
import { type ListOptions, printList } from './print-list.js';
import { percentOf, scanColour } from './scan-status.js';

export interface ListScansOptions extends ListOptions {
  statuses?: string[];
  kinds?: string[];
  profileId?: string[];
  assetId?: string[];
}

const columns: readonly Column<Wire<ResourceScan>>[] = [
  { head: 'ID', value: ({ id }) => id, width: 36, least: 9 },
  { head: 'CREATED AT', value: ({ createdAt }) => createdAt, width: 24, least: 17 },
  { head: 'STATUS', value: ({ status }) => status, colour: scanColour, width: 8, least: 8 },
  { head: 'DONE', value: percentOf, width: 5, least: 5 },
  { head: 'KIND', value: ({ kind }) => kind, width: 25, least: 12 },
  { head: 'PROFILE', value: ({ application }) => application.name, width: 30, least: 12 },
];

/** `scans list`. */
export async function listScans(context: Context, options: ListScansOptions): Promise<void> {
  const { statuses, kinds, profileId, assetId } = options;
  await printList(context, 'scans', { statuses, kinds, profileIds: profileId, assetIds: assetId }, columns, options);
}
