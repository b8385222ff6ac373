import {
  checkLinearizability,
  paymentModel,
  type PaymentOperation,
  type PaymentResult,
  type TimedOperation,
} from '../linearizability.js';
import { isDone, isUncertain, match, type Call } from './calls.js';
import { type Facts, type SeenOrder, type Tell } from './facts.js';
import { centsOf, listOf, money, textOf, type Fields } from './values.js';

type Step = TimedOperation<PaymentOperation, PaymentResult>;

/** Payments and refunds: each counts once, and never more goes back than came. */
export function judgePayments(facts: Facts, tell: Tell): void {
  judgeReferences(facts, tell);
  for (const order of facts.orders.values()) judgeMoneyOf(facts, order, tell);
  judgeProvider(facts, tell);
  for (const call of facts.calls) judgeTooLarge(call, tell);
}

/** A provider's reference is one payment. */
function judgeReferences(facts: Facts, tell: Tell): void {
  const recorded = new Map<string, { id: unknown; n: number }>();
  for (const call of facts.calls) {
    if (!match(call, 'POST', '/admin/orders/*/payments') || !isDone(call)) continue;
    const payment = call.answer.payment as Fields | undefined;
    const reference = textOf(call.body.reference)?.trim();
    if (!payment || !reference) continue;
    const earlier = recorded.get(reference);
    if (earlier && earlier.id !== payment.id) {
      tell(
        'payments/reference',
        call.n,
        `Reference ${reference} was recorded by entry ${earlier.n}: expected a 409, got another payment`,
      );
    }
    recorded.set(reference, earlier ?? { id: payment.id, n: call.n });
  }
  const byReference = new Map<string, unknown>();
  for (const books of facts.moneyAtEnd.values()) {
    for (const payment of listOf(books.payments)) {
      const reference = textOf(payment.reference);
      if (!reference) continue;
      const key = `${String(payment.provider)} ${reference}`;
      if (byReference.has(key)) tell('payments/reference', undefined, `Two payments have the reference ${reference}`);
      byReference.set(key, payment.id);
    }
  }
}

/** What the provider paid back is in the books, with its amount. */
function judgeProvider(facts: Facts, tell: Tell): void {
  for (const entry of facts.history) {
    if (entry.kind !== 'payback') continue;
    const books = facts.moneyAtEnd.get(entry.order);
    if (!books) continue;
    const refund = listOf(books.refunds).find(({ id }) => id === entry.id);
    if (refund && refund.status !== 'failed' && centsOf(refund.amount) === centsOf(entry.amount)) continue;
    const what = refund
      ? `have ${money(centsOf(refund.amount))} as ${String(refund.status)}`
      : 'do not have that refund';
    tell(
      'payments/provider',
      entry.n,
      `The provider paid ${money(centsOf(entry.amount))} back for order ${entry.order}, and its books ${what}`,
    );
  }
}

/** The money of an order as its sightings show it, against the payments and refunds that there are at the end. */
function judgeMoneyOf(facts: Facts, order: SeenOrder, tell: Tell): void {
  const books = facts.moneyAtEnd.get(order.id);
  if (!books) return;
  const payments = listOf(books.payments);
  if (new Set(payments.map(({ currency }) => currency)).size > 1) return;
  const last = facts.history.length + 1;
  const steps: Step[] = [];
  const records = facts.calls.filter((call) => match(call, 'POST', `/admin/orders/${order.id}/payments`));
  for (const payment of payments) {
    const by = records.find((call) => isDone(call) && (call.answer.payment as Fields | undefined)?.id === payment.id);
    steps.push({
      id: `payment ${String(payment.id)}`,
      operation: { kind: 'pay', name: String(payment.id), cents: centsOf(payment.amount) },
      result: 'done',
      called: earliest(by, records),
      ended: by?.n ?? last,
    });
  }
  const asked = facts.calls.filter((call) => match(call, 'POST', `/admin/orders/${order.id}/refunds`));
  for (const refund of listOf(books.refunds)) {
    const by = asked.find((call) => isDone(call) && listOf(call.answer.refunds).some(({ id }) => id === refund.id));
    const name = String(refund.id);
    const timed = { called: earliest(by, asked), ended: by?.n ?? last };
    steps.push({
      id: `refund ${name}`,
      operation: { kind: 'refund', name, cents: centsOf(refund.amount) },
      result: 'done',
      ...timed,
    });
    if (refund.status === 'failed') {
      steps.push({ id: `failed ${name}`, operation: { kind: 'fail', name }, called: timed.called, ended: last });
    }
  }
  for (const { fields, from, to } of order.sightings) {
    if (fields.paid_total === undefined) continue;
    const result = { paid: centsOf(fields.paid_total), refunded: centsOf(fields.refunded_total) };
    steps.push({ id: `seen ${to} ${steps.length}`, operation: { kind: 'read' }, called: from, ended: to, result });
  }
  const verdict = checkLinearizability(paymentModel, steps, 20_000);
  if (verdict.linearizable !== false) return;
  const { operation, states } = verdict;
  const seen = operation.result;
  const what =
    typeof seen === 'object'
      ? `${money(seen.paid)} paid and ${money(seen.refunded)} refunded are shown`
      : `${operation.id} was made`;
  tell(
    'payments/conserved',
    isInHistory(facts, operation.ended) ? (operation.ended ?? undefined) : undefined,
    `Order ${order.id}: ${what}; by its payments and refunds there can be ${states.join(' or ')}`,
  );
}

function isInHistory(facts: Facts, n: number | null): boolean {
  return n !== null && n < facts.history.length;
}

/** From when on it may have been made: since it was asked for, by a request that was answered or by one before it. */
function earliest(by: Call | undefined, asked: readonly Call[]): number {
  // Payments by a page, and refunds that jobs make, are asked for by no request of these.
  if (!by) return 0;
  return Math.min(by.from, ...asked.filter((call) => isUncertain(call) && call.n < by.n).map(({ from }) => from));
}

/** A refund that is larger than what the answer itself says was paid. */
function judgeTooLarge(call: Call, tell: Tell): void {
  if (!match(call, 'POST', '/admin/orders/*/refunds') || !isDone(call)) return;
  const order = call.answer.order as Fields | undefined;
  const refunds = listOf(call.answer.refunds);
  const sum = refunds.reduce((cents, { amount, status }) => cents + (status === 'failed' ? 0 : centsOf(amount)), 0);
  if (order && sum > centsOf(order.paid_total)) {
    tell(
      'payments/refund-too-much',
      call.n,
      `${money(sum)} were refunded of an order of which ${money(centsOf(order.paid_total))} were paid: expected a 409`,
    );
  }
  const wanted = call.body.amount;
  if (typeof wanted === 'number' && refunds.every(({ status }) => status !== 'failed') && sum !== centsOf(wanted)) {
    tell('payments/refund-amount', call.n, `${money(centsOf(wanted))} were to be refunded, and ${money(sum)} were`);
  }
}
