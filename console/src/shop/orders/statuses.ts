export const orderStatuses = [
  'pending',
  'paid',
  'processing',
  'shipped',
  'delivered',
  'completed',
  'cancelled',
  'refunded',
] as const;

const forward: readonly string[] = orderStatuses.slice(0, 6);

/** The statuses that an order of this one may take: forward in any stride, cancelled before it is shipped, refunded once paid. */
export function nextStatuses(status: string): string[] {
  const at = forward.indexOf(status);
  if (status === 'cancelled' || status === 'refunded') return [];
  if (at < 0) return [...orderStatuses];
  return [...forward.slice(at + 1), ...(at < 3 ? ['cancelled'] : []), ...(at > 0 ? ['refunded'] : [])];
}
