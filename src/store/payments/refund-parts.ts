import { Conflict } from '../../platform/errors/errors.js';
import { Invalid } from '../../platform/errors/invalid.js';
import { fromCents, heldOf, type LockedOrder, toCents } from '../orders/order-payment.js';
import type { LineToRefund, RefundStart } from './payments.dto.js';
import type { PaymentLeft } from './payments.repository.js';
import type { LinesWorth, RefundedPieces } from './refunds.repository.js';

/** What is paid back of one payment. */
interface RefundPart {
  paymentId: string;
  provider: string;
  amount: number;
}

/** The pieces of a request, each line once; `Invalid` where it has neither pieces nor an amount. */
export function refundLines({ amount, lines = [] }: RefundStart): RefundedPieces[] {
  if (amount === undefined && lines.length === 0) {
    throw Invalid.at(['body', 'amount'], 'missing', 'Give the amount to refund, or the lines');
  }
  const quantities = new Map<number, number>();
  for (const { item_id, quantity } of lines) quantities.set(item_id, (quantities.get(item_id) ?? 0) + quantity);
  return [...quantities].map(([itemId, quantity]) => ({ itemId, quantity }));
}

/** The price of the pieces; `Invalid` for a line of no such order, `Conflict` where fewer pieces are left. */
export function worthOf({ amount, lines }: LinesWorth, { lines: asked = [] }: RefundStart): number {
  const known = new Map((lines ?? []).map((line) => [line.id, line]));
  const stranger = asked.findIndex(({ item_id }) => !known.has(item_id));
  if (stranger >= 0) throw strangeLine(stranger, asked);
  const short = (lines ?? []).find((line) => line.asked > line.left);
  if (short) {
    throw new Conflict(
      `Only ${short.left} of "${short.name}" are left to refund, and ${short.asked} were asked for: lower the quantity`,
      'refund_too_large',
    );
  }
  return amount;
}

function strangeLine(at: number, asked: readonly LineToRefund[]): Invalid {
  const msg = 'Input should be the id of a line of this order';
  return Invalid.at(['body', 'lines', String(at), 'item_id'], 'value_error', msg, asked[at]?.item_id);
}

/** Of which payments an amount is paid back, the oldest first; `Conflict` where less is left. */
export function partsOf(order: LockedOrder, payments: readonly PaymentLeft[], amount: number): RefundPart[] {
  const held = heldOf(order);
  if (amount === 0) throw new Conflict('The lines cost nothing: there is nothing to refund', 'refund_too_large');
  if (toCents(amount) > toCents(held)) throw tooLarge(order, amount, held);
  let open = toCents(amount);
  const parts: RefundPart[] = [];
  for (const { id: paymentId, provider, left } of payments) {
    const part = Math.min(open, toCents(left));
    if (part > 0) parts.push({ paymentId, provider, amount: fromCents(part) });
    open -= part;
  }
  return parts;
}

function tooLarge({ paidTotal, id }: LockedOrder, amount: number, held: number): Conflict {
  return new Conflict(
    paidTotal === 0
      ? `Nothing was paid for order ${id}: record its payment first`
      : `Only ${held.toFixed(2)} of what was paid for order ${id} is left, and ${amount.toFixed(2)} was to be refunded: ` +
          `give a lower amount`,
    'refund_too_large',
  );
}
