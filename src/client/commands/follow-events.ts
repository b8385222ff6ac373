import type { Query } from '../api/api-client.js';
import type { Context } from './context.js';
import { eventColumns } from './event-columns.js';
import { type ListOptions, printList } from './print-list.js';
export async function followEvents(context: Context, filter: Query, options: ListOptions): Promise<void> {
  await printList(context, 'events', filter, eventColumns, options);
}
