import type { Order } from '@store-service/sdk';
import { printDetails } from '../output/details.js';
import { printJson } from '../output/json.js';
import type { Context } from './context.js';
import type { OutputFormat } from './options.js';

export interface ShipOptions {
  carrier?: string;
  number?: string;
  url?: string;
  status: string;
  confirm?: true;
  output: OutputFormat;
}

/** `shop orders ship`: the tracking first, so that the mail has it. */
export async function shipOrder({ shop, output }: Context, order: number, options: ShipOptions): Promise<void> {
  const { carrier, number: tracking_number, url: tracking_url, status, confirm = false } = options;
  const path = { order_id: order };
  const body = { carrier, tracking_number, tracking_url };
  if (Object.values(body).some((one) => one !== undefined)) await shop.adminOrderDesk.track({ path, body });
  const { data } = await shop.adminOrders.changeStatus({ path, query: { new_status: status, confirm } });
  if (options.output === 'json') return printJson(output, data);
  await printDetails(output, detailsOf(data));
}

function detailsOf(order: Order): [string, string | number | null | undefined][] {
  return [
    ['ORDER', order.id],
    ['STATUS', order.status],
    ['TOTAL', order.total_price.toFixed(2)],
    ['SHIP TO', [order.shipping_first_name, order.shipping_last_name].filter(Boolean).join(' ')],
    ['CARRIER', order.carrier],
    ['NUMBER', order.tracking_number],
    ['FOLLOW', order.tracking_url],
  ];
}
