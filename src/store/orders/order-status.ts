// Unspecified: which statuses there are and which may follow which.
const path = ['pending', 'paid', 'processing', 'shipped', 'delivered', 'completed'] as const;
type PathStatus = (typeof path)[number];

export const orderStatuses = [...path, 'cancelled', 'refunded'] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/** The statuses of an order that was paid for and not refunded. */
export const paidStatuses: readonly OrderStatus[] = path.slice(path.indexOf('paid'));
/** The statuses of an order that no longer needs an address. */
export const settledStatuses: readonly OrderStatus[] = ['delivered', 'completed', 'cancelled', 'refunded'];
/** The steps after which an order no longer needs an address, even where its status became a word of the shop's own. */
export const arrivedSteps: readonly PathStatus[] = ['delivered', 'completed'];

/** The state of an order: its status, which may be a word of the shop's own, and the furthest step that it ever reached. */
export interface OrderState {
  status: string;
  reached: PathStatus;
}

/** The status that a word means, without case, `canceled` included; null for an unknown word. */
export function knownStatus(word: string): OrderStatus | null {
  const plain = word.trim().toLowerCase();
  return orderStatuses.find((status) => status === plain) ?? (plain === 'canceled' ? 'cancelled' : null);
}

/** Whether no status follows this one. */
export function isFinal(status: string): boolean {
  return status === 'cancelled' || status === 'refunded';
}

/** Whether an order no longer needs an address; the deletion of an account says the same in SQL. */
export function isSettled({ status, reached }: OrderState): boolean {
  if ((orderStatuses as readonly string[]).includes(status)) {
    return (settledStatuses as readonly string[]).includes(status);
  }
  return arrivedSteps.includes(reached);
}

/** The position of a status on the path; below 0 where it is not on it. */
export function stepOf(status: string): number {
  return (path as readonly string[]).indexOf(status);
}

/** The furthest step of an order once it has a status. What was inserted with a status, as the demo's orders are, has reached that one. */
export function reachedWith({ status, reached }: OrderState, next: string = status): PathStatus {
  return path[Math.max(stepOf(status), stepOf(reached), stepOf(next), 0)] ?? 'pending';
}

/** Whether the goods have left the shop. */
export function wasShipped(state: OrderState): boolean {
  return stepOf(reachedWith(state)) >= stepOf('shipped');
}

/**
 * Whether an order may go to a status: forward along the path in any stride, to `cancelled` before it is shipped, to
 * `refunded` once it is paid. Cancelled and refunded orders stay so. A word of the shop's own leads anywhere, except that
 * a shipped order cannot be cancelled.
 */
export function mayBecome(state: OrderState, to: string): boolean {
  if (isFinal(state.status)) return false;
  const own = stepOf(state.status) < 0;
  if (to === 'cancelled') return !wasShipped(state);
  if (to === 'refunded') return own || stepOf(reachedWith(state)) >= stepOf('paid');
  return own || stepOf(to) < 0 || stepOf(to) > stepOf(state.status);
}

/** The statuses that an order may still reach. */
export function nextStatuses(state: OrderState): OrderStatus[] {
  return orderStatuses.filter((to) => to !== state.status && mayBecome(state, to));
}
