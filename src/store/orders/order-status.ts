// Not shown: which statuses there are and which may follow which.
const path = ['pending', 'paid', 'processing', 'shipped', 'delivered', 'completed'] as const;

export const orderStatuses = [...path, 'cancelled', 'refunded'] as const;
export type OrderStatus = (typeof orderStatuses)[number];

function stepOf(status: OrderStatus): number {
  return (path as readonly string[]).indexOf(status);
}

/**
 * Whether an order may go from one status to another: forward along the path in any stride, to `cancelled` before it is
 * shipped, to `refunded` once it is paid. Cancelled and refunded orders stay so.
 */
export function mayBecome(from: OrderStatus, to: OrderStatus): boolean {
  const step = stepOf(from);
  if (step < 0) return false;
  if (to === 'cancelled') return step < stepOf('shipped');
  if (to === 'refunded') return step >= stepOf('paid');
  return stepOf(to) > step;
}

/** Whether an order of this status counts for nothing any more. */
export function isUndone(status: OrderStatus): boolean {
  return status === 'cancelled' || status === 'refunded';
}

/** The statuses that an order may still reach from this one. */
export function nextStatuses(from: OrderStatus): OrderStatus[] {
  return orderStatuses.filter((to) => mayBecome(from, to));
}
