import type { OrderState } from './order-status.js';

/** What of an order's money needs somebody's attention. */
export const paymentProblems = ['payment_failed', 'refund_failed', 'paid_but_cancelled', 'other_currency'] as const;
export type PaymentProblem = (typeof paymentProblems)[number];

/** An order that the current unit of work has locked, with its money. */
export interface LockedOrder extends OrderState {
  id: number;
  userId: string;
  couponId: number | null;
  totalPrice: number;
  paidTotal: number;
  /** With what is on its way back. */
  refundedTotal: number;
}

/** An amount in hundredths, in which sums are exact. */
export const toCents = (amount: number): number => Math.round(amount * 100);
export const fromCents = (cents: number): number => cents / 100;

type Totals = Pick<LockedOrder, 'totalPrice' | 'paidTotal' | 'refundedTotal'>;

/** What came for an order and was not paid back. */
export function heldOf({ paidTotal, refundedTotal }: Pick<Totals, 'paidTotal' | 'refundedTotal'>): number {
  return fromCents(toCents(paidTotal) - toCents(refundedTotal));
}

/** What is still to be paid for an order; never below 0. */
export function dueOf(order: Totals): number {
  return fromCents(Math.max(0, toCents(order.totalPrice) - toCents(heldOf(order))));
}
