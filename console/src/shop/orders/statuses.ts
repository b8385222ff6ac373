import { confirm } from '../../parts/confirm.svelte.js';
import { asWords } from '../../parts/words.js';

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

/** The statuses that an order with this one may take: any later one, cancelled before it is shipped, refunded once paid. */
export function nextStatuses(status: string): string[] {
  const at = forward.indexOf(status);
  if (status === 'cancelled' || status === 'refunded') return [];
  if (at < 0) return [...orderStatuses];
  return [...forward.slice(at + 1), ...(at < 3 ? ['cancelled'] : []), ...(at > 0 ? ['refunded'] : [])];
}

/** The statuses that at least one order with these may take, in order. */
export function nextStatusesOfAny(statuses: readonly string[]): string[] {
  const next = new Set(statuses.flatMap(nextStatuses));
  return orderStatuses.filter((status) => next.has(status));
}

/** Asks before orders get a final status. Returns whether to go on. */
export async function mayBecome(what: string, status: string): Promise<boolean> {
  if (status !== 'cancelled' && status !== 'refunded') return true;
  const text = 'This is final. Goods that were not shipped go back into stock.';
  return confirm(`Make ${what} ${status}?`, text, asWords(status));
}
