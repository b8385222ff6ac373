import type { Workflow } from '../../scanning/workflows/workflows.shapes.js';
import type { Column } from '../output/table.js';
import type { Wire } from '../wire.js';
import type { Context } from './context.js';
import { type ListOptions, printList } from './print-list.js';

function triggerOf({ trigger: { type, cron, timeZone } }: Wire<Workflow>): string {
  return cron ? `${type} ${cron} ${timeZone}` : type;
}

const columns: readonly Column<Wire<Workflow>>[] = [
  { head: 'ID', value: ({ id }) => id, width: 36, least: 9 },
  { head: 'CREATED AT', value: ({ createdAt }) => createdAt, width: 24, least: 17 },
  { head: 'ENABLED', value: ({ enabled }) => (enabled ? 'yes' : 'no'), width: 7, least: 7 },
  { head: 'TRIGGER', value: triggerOf, width: 30, least: 12 },
  { head: 'NAME', value: ({ name }) => name, width: 30, least: 15 },
];

/** `workflows list`. */
export async function listWorkflows(context: Context, options: ListOptions): Promise<void> {
  await printList(context, 'workflows', {}, columns, options);
}
