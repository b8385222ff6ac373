import { type OrderState, reachedWith, stepOf, wasShipped } from './order-status.js';

/** What of an order a person would look at before its status changes. */
export interface CautiousOrder extends OrderState {
  shippingAddress: string | null;
  totalPrice: number;
  paidTotal: number;
  refundedTotal: number;
}

/**
 * What a person would stop at before an order gets a status, in the words of a sentence: goods that leave without an address
 * or before anybody paid, and money that stays although the status says otherwise.
 */
export function cautionsOf(order: CautiousOrder, to: string): string[] {
  const { shippingAddress, totalPrice, paidTotal, refundedTotal } = order;
  const cautions: string[] = [];
  if (stepOf(to) >= stepOf('shipped')) {
    // Unspecified: how often to ask. At the step that leaves something out, and not again at those after it.
    if (!wasShipped(order) && !shippingAddress?.trim()) cautions.push('it has no address to go to');
    if (reachedWith(order) === 'pending' && paidTotal < totalPrice) cautions.push('it is not paid');
  }
  const kept = paidTotal - refundedTotal;
  if (to === 'cancelled' && kept > 0)
    cautions.push(`it is paid, and canceling pays none of the ${kept.toFixed(2)} back`);
  if (to === 'refunded' && kept > 0) {
    cautions.push(`${kept.toFixed(2)} of its payments are not paid back, and the status alone pays nothing back`);
  }
  return cautions;
}
