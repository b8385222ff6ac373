/** The types of store events, each with what it tells. */
export const storeEventTypes = [
  'order.placed',
  'order.paid',
  'order.shipped',
  'order.cancelled',
  'order.refunded',
  'payment.failed',
  'product.created',
  'product.changed',
  'product.deleted',
  'stock.low',
  'stock.out',
  'review.created',
  'customer.created',
  'customer.deleted',
] as const;
export type StoreEventType = (typeof storeEventTypes)[number];

/** How long events, and the deliveries that carry them, are kept. */
export const eventDays = 30;
