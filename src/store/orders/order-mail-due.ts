import { isFinal, type OrderState, wasShipped } from './order-status.js';
import type { LockedOrder } from './order-payment.js';
import type { OrderMail } from './order-mails.statements.js';

/** Why a mail makes no sense for an order, as a sentence; null where it does. */
export const mailFault: Record<OrderMail, (order: LockedOrder) => string | null> = {
  placed: undone,
  paid: ({ paidTotal }) => (paidTotal > 0 ? null : 'Nothing was paid for the order yet'),
  refunded: ({ refundedTotal }) => (refundedTotal > 0 ? null : 'Nothing of the order was refunded yet'),
  shipped: (order) =>
    undone(order) ?? (wasShipped(order) ? null : `The order is ${order.status}: it has not been shipped yet`),
};

function undone({ status }: OrderState): string | null {
  return isFinal(status) ? `The order is ${status}: its customer is not told of it any more` : null;
}
