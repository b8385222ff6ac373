import type { Webhook } from '@store-service/sdk';

export type EventType = Webhook['events'][number];

/** What happens in the shop, in words. */
export const eventNames: Record<EventType, string> = {
  'order.placed': 'Order placed',
  'order.paid': 'Order paid',
  'order.shipped': 'Order shipped',
  'order.cancelled': 'Order cancelled',
  'order.refunded': 'Order refunded',
  'payment.failed': 'Payment failed',
  'product.created': 'Product added',
  'product.changed': 'Product changed',
  'product.deleted': 'Product deleted',
  'stock.low': 'Stock is low',
  'stock.out': 'Out of stock',
  'review.created': 'Review written',
  'customer.created': 'Customer registered',
  'customer.deleted': 'Customer deleted',
};

export const stateOf = ({ enabled, disabled_reason }: Pick<Webhook, 'enabled' | 'disabled_reason'>): string => {
  if (enabled) return 'enabled';
  return disabled_reason === null ? 'off' : 'failed';
};
