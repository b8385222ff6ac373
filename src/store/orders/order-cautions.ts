import { type OrderState, reachedWith, stepOf, wasShipped } from './order-status.js';

/** The steps at which an order can stand only as one that was paid. Later ones may have been reached without. */
export const calledPaid: readonly string[] = ['paid', 'processing'];

/** What of an order a person would look at before its status changes. */
export interface CautiousOrder extends OrderState {
  shippingAddress: string | null;
  totalPrice: number;
  paidTotal: number;
  refundedTotal: number;
}

/**
 * What a person would stop at before an order gets a status, in the words of a sentence: goods that leave without an address
 * or arrive unpaid, and money that stays although the status says otherwise. `isSaidPaid` tells whether the shop called the
 * order paid by hand, where no payment is recorded.
 */
export async function cautionsOf(
  order: CautiousOrder,
  to: string,
  isSaidPaid: () => Promise<boolean>,
): Promise<string[]> {
  const { shippingAddress, totalPrice, paidTotal, refundedTotal } = order;
  const cautions: string[] = [];
  if (stepOf(to) >= stepOf('shipped') && !wasShipped(order) && !shippingAddress?.trim()) {
    cautions.push('it has no address to go to');
  }
  const isUnpaid = stepOf(to) >= stepOf('delivered') && paidTotal < totalPrice;
  if (isUnpaid && !calledPaid.includes(reachedWith(order)) && !(await isSaidPaid())) cautions.push('it is not paid');
  const kept = (paidTotal - refundedTotal).toFixed(2);
  if (Number(kept) <= 0) return cautions;
  if (to === 'cancelled') cautions.push(`${kept} was paid for it, and canceling pays nothing back`);
  if (to === 'refunded') cautions.push(`${kept} was paid for it, and the status alone pays nothing back`);
  return cautions;
}
