import type { Webhook } from '@store-service/sdk';
import { texts } from '../../../texts/texts.js';

export type EventType = Webhook['events'][number];

/** What happens in the shop, in words. */
export const eventNames: Record<EventType, string> = {
  'order.placed': texts.settings.orderPlaced,
  'order.paid': texts.settings.orderPaid,
  'order.shipped': texts.settings.orderShipped,
  'order.cancelled': texts.settings.orderCancelled,
  'order.refunded': texts.settings.orderRefunded,
  'payment.failed': texts.settings.paymentFailed,
  'product.created': texts.settings.productAdded,
  'product.changed': texts.settings.productChanged,
  'product.deleted': texts.settings.productDeleted,
  'stock.low': texts.settings.stockIsLow,
  'stock.out': texts.settings.outOfStock,
  'review.created': texts.settings.reviewWritten,
  'customer.created': texts.settings.customerRegistered,
  'customer.deleted': texts.settings.customerDeleted,
};

export const stateOf = ({ enabled, disabled_reason }: Pick<Webhook, 'enabled' | 'disabled_reason'>): string => {
  if (enabled) return 'enabled';
  return disabled_reason === null ? 'off' : 'failed';
};
