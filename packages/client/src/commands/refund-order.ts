import { randomUUID } from 'node:crypto';
import type { LineToRefund, StartedRefund } from '@store-service/sdk';
import { exitCodes, Failure } from '../failure.js';
import { printDetails } from '../output/details.js';
import { printJson } from '../output/json.js';
import type { Context } from './context.js';
import type { OutputFormat } from './options.js';

export interface RefundOptions {
  amount?: number;
  item?: LineToRefund[];
  reason?: string;
  restock: boolean;
  byHand?: true;
  output: OutputFormat;
}

/** `shop orders refund`. Repeated attempts of one call carry one Idempotency-Key, so that the money goes back once. */
export async function refundOrder({ shop, output }: Context, order: number, options: RefundOptions): Promise<void> {
  const { amount, item: lines, reason, restock, byHand: by_hand = false } = options;
  if (amount === undefined && lines === undefined) {
    throw new Failure('Say what to refund: --amount, or --item for each line of the order', exitCodes.usage);
  }
  const { data } = await shop.adminPayments.refund({
    path: { order_id: order },
    headers: { 'Idempotency-Key': randomUUID() },
    body: { restock, by_hand, amount, lines, reason },
  });
  if (options.output === 'json') return printJson(output, data);
  await printDetails(output, detailsOf(data));
}

function detailsOf({ order, refunds }: StartedRefund): [string, string | number | null | undefined][] {
  return [
    ['ORDER', order.id],
    ['STATUS', order.status],
    ...refunds.map(({ amount, status, detail }): [string, string] => [
      'REFUND',
      [amount.toFixed(2), status, detail].filter(Boolean).join(', '),
    ]),
    ['PAID', order.paid_total?.toFixed(2)],
    ['REFUNDED', order.refunded_total?.toFixed(2)],
  ];
}
