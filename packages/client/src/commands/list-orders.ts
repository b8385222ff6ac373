import type { AdminOrder, OrderQueue, OrderStatus } from '@store-service/sdk';
import type { List } from '../api/pages.js';
import type { Column } from '../output/table.js';
import { timeColumn } from './common-columns.js';
import type { Context } from './context.js';
import { type ListOptions, printList } from './print-list.js';

export interface ListOrdersOptions extends ListOptions {
  search?: string;
  queue?: OrderQueue;
  status?: OrderStatus[];
  since?: string;
  until?: string;
}

export function recipientOf({ shipping_first_name: first, shipping_last_name: last }: AdminOrder): string {
  return [first, last].filter(Boolean).join(' ') || '-';
}

const columns: readonly Column<AdminOrder>[] = [
  { head: 'ORDER', value: ({ id }) => String(id), width: 10, least: 5 },
  { ...timeColumn<AdminOrder>('PLACED AT', ({ created_at }) => created_at), mayGo: true },
  { head: 'STATUS', value: ({ status }) => status, width: 10, least: 9 },
  { head: 'TOTAL', value: ({ total_price }) => total_price.toFixed(2), width: 10, least: 7 },
  { head: 'CUSTOMER', value: ({ username }) => username, width: 20, least: 8, mayGo: true },
  { head: 'SHIP TO', value: recipientOf, width: 24, least: 10 },
];

/** `shop orders list`. */
export async function listOrders(context: Context, options: ListOrdersOptions): Promise<void> {
  const { search, queue, status, since, until } = options;
  const filter = { search, queue, status, since, until };
  const list: List<AdminOrder> = async ({ size, cursor }) => {
    const skip = Number(cursor ?? 0);
    const { data, response } = await context.shop.adminOrders.list({ query: { ...filter, skip, limit: size } });
    const totalCount = Number(response.headers.get('x-total-count'));
    const end = skip + data.length;
    return { data: { data, nextCursor: end < totalCount ? String(end) : null, totalCount } };
  };
  await printList(context, list, columns, options, 'counted');
}
