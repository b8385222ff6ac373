import { type Order, OrderStatus } from '@store-service/sdk';
import { confirm } from '../../parts/confirm.svelte.js';
import { amidWords, asWords } from '../../parts/words.js';
import { texts } from '../../texts/texts.js';

/** The statuses that at least one of the orders may take, in order, as the service says. */
export function nextOfAny(orders: readonly Pick<Order, 'next_statuses'>[]): OrderStatus[] {
  const next = new Set(orders.flatMap(({ next_statuses = [] }) => next_statuses));
  return Object.values(OrderStatus).filter((status) => next.has(status));
}

const forward: readonly string[] = Object.values(OrderStatus).slice(0, 6);

interface Shipped {
  id: number;
  status: string;
  shipping_address?: string | null | undefined;
}

const mostNamed = 10;
const atShipping = forward.indexOf('shipped');

/** The orders that leave the shop by this change, but have no address to go to. */
function withoutAddress(orders: readonly Shipped[], status: string): Shipped[] {
  if (forward.indexOf(status) < atShipping) return [];
  return orders.filter((one) => !one.shipping_address?.trim() && forward.indexOf(one.status) < atShipping);
}

/**
 * Asks before orders get a final status, or are shipped to nowhere. Returns whether to go on: `confirmed` if what the service
 * would ask has been asked.
 */
export async function mayBecome(orders: readonly Shipped[], status: string): Promise<boolean | 'confirmed'> {
  const [first] = orders;
  const what = orders.length === 1 ? texts.orders.orderAmid(first?.id ?? '') : texts.orders.orders(orders.length);
  const lost = withoutAddress(orders, status);
  if (lost.length > 0) {
    const named = lost.slice(0, mostNamed).map(({ id }) => id);
    const rest = lost.length - named.length;
    const numbers = rest > 0 ? texts.orders.numbersAndMore(named.join(', '), rest) : named.join(', ');
    const text = texts.orders.sentenceWithoutAddress(lost.length, numbers);
    const goOn = await confirm(
      texts.orders.makeWithoutAddress(what, amidWords(status)),
      text,
      texts.orders.allTheSame(asWords(status)),
    );
    return goOn && 'confirmed';
  }
  if (status !== 'cancelled' && status !== 'refunded') return true;
  const text = texts.orders.thisIsFinalGoodsThat;
  return confirm(texts.orders.make(what, amidWords(status)), text, asWords(status));
}

/** Asks where the service would stop, in its words. Returns whether to go on. */
export function confirmAsService(what: string, status: string, details: readonly string[]): Promise<boolean> {
  const named = details.slice(0, mostNamed).map((detail) => detail.replace(/: repeat it with confirm=true.*$/, '.'));
  const rest = details.length - named.length;
  const text = rest > 0 ? [...named, texts.orders.andMore(rest)] : named;
  return confirm(
    texts.orders.makeAllTheSame(what, amidWords(status)),
    text.join(' '),
    texts.orders.allTheSame(asWords(status)),
  );
}
