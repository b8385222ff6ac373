import type { Workflow } from '@store-service/sdk';
import type { Column } from '../output/table.js';
import { createdColumn, idColumn } from './common-columns.js';
import type { Context } from './context.js';
import { type ListOptions, printList } from './print-list.js';
import { triggerText } from './workflow-actions.js';

const columns: readonly Column<Workflow>[] = [
  idColumn,
  { ...createdColumn, mayGo: true },
  { head: 'ENABLED', value: ({ enabled }) => (enabled ? 'yes' : 'no'), width: 7, least: 7 },
  { head: 'TRIGGER', value: triggerText, width: 30, least: 12 },
  { head: 'NAME', value: ({ name }) => name, width: 30, least: 15 },
];

/** `workflows list`. */
export async function listWorkflows(context: Context, options: ListOptions): Promise<void> {
  await printList(context, (query) => context.api.workflows.list({ query }), columns, options);
}
