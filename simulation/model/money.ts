import { isDone, match } from './calls.js';
import { turnsOf, type Facts, type SeenOrder, type Sighting, type Tell } from './facts.js';
import { centsOf, listOf, money, numberOf, sameJson, type Fields } from './values.js';

const paidStatuses = new Set(['paid', 'processing', 'shipped', 'delivered', 'completed']);

/** Goods less a discount of so many percent, rounded half up, once. */
export function discountCents(subtotalCents: number, percent: number): number {
  return Number((BigInt(subtotalCents) * BigInt(Math.round(percent * 1000)) * 2n + 100_000n) / 200_000n);
}

/** What an order costs and what was paid: its sums are those of its lines, and no money appears or vanishes. */
export async function judgeMoney(facts: Facts, tell: Tell): Promise<void> {
  for (const order of facts.orders.values()) {
    for (const sighting of order.sightings) judgeSums(order.id, sighting, tell);
    judgeLasting(order, tell);
    judgeSent(order, tell);
    judgePaid(order, tell);
  }
  for (const [id, totals] of facts.moneyAtEnd) judgeBooks(id, totals, undefined, tell);
  for (const call of facts.calls) {
    const [id] = match(call, 'GET', '/admin/orders/*/payments') ?? [];
    if (id !== undefined && isDone(call)) judgeBooks(Number(id), call.answer, call.n, tell);
  }
  await judgeRevenue(facts, tell);
}

function judgeSums(id: number, { entry, fields, isOpenToAll }: Sighting, tell: Tell): void {
  const subtotal = centsOf(fields.subtotal);
  const discount = centsOf(fields.discount);
  const lines = listOf(fields.items);
  const ofLines = lines.reduce((sum, line) => sum + centsOf(line.price) * Number(line.quantity), 0);
  if (lines.length === 0) tell('money/lines', entry, `Order ${id} should have lines, and has none`);
  if (subtotal !== ofLines) {
    tell(
      'money/subtotal',
      entry,
      `The lines of order ${id} cost ${money(ofLines)}, but its subtotal is ${money(subtotal)}`,
    );
  }
  if (discount < 0 || discount > subtotal) {
    tell(
      'money/discount',
      entry,
      `The discount of order ${id} should be within its ${money(subtotal)}, and is ${money(discount)}`,
    );
  }
  const expected = subtotal - discount + centsOf(fields.shipping_cost);
  const total = centsOf(fields.total_price);
  // Shipping, up to 10,000, is shown to the owner and to admins alone.
  const hidden = isOpenToAll && fields.shipping_cost === null ? 1_000_000 : 0;
  if (total < expected || total > expected + hidden) {
    tell(
      'money/total',
      entry,
      `Order ${id} should cost ${money(expected)} (goods less discount, plus shipping), and costs ${money(total)}`,
    );
  }
  const paid = centsOf(fields.paid_total);
  const refunded = centsOf(fields.refunded_total);
  if (refunded < 0 || refunded > paid) {
    tell('money/refunded', entry, `Of order ${id}, ${money(paid)} were paid, but ${money(refunded)} refunded`);
  }
}

/** What an order was placed with never changes. */
function judgeLasting(order: SeenOrder, tell: Tell): void {
  const placed = (fields: Fields) => ({
    total: centsOf(fields.total_price),
    lines: listOf(fields.items)
      .map(({ id, product_id, quantity, price, name }) => ({ id, product_id, quantity, price, name }))
      .sort((a, b) => Number(a.id) - Number(b.id)),
    created_at: fields.created_at,
    user_id: fields.user_id,
  });
  const [first, ...later] = order.sightings;
  for (const sighting of later) {
    if (sameJson(placed(first!.fields), placed(sighting.fields))) continue;
    const [expected, found] = [first!, sighting].map(({ fields }) => JSON.stringify(placed(fields)));
    tell('money/order-stays', sighting.entry, `Order ${order.id} should stay ${expected}, and is ${found}`);
    return;
  }
}

/** Shipping costs what the checkout said, if it said so. */
function judgeSent(order: SeenOrder, tell: Tell): void {
  const call = order.placedBy;
  if (!call || !match(call, 'POST', '/orders/checkout')) return;
  const shipping = call.body.shipping as Fields | undefined;
  const sent = numberOf(shipping?.shipping_cost);
  const found = centsOf(call.answer.shipping_cost);
  if (sent !== undefined && Math.round(sent * 100) !== found) {
    tell('money/shipping', call.n, `Order ${order.id} was sent with shipping for ${sent}, and has ${money(found)}`);
  }
}

/** What came in stays; what goes back is less only where a refund failed. Fully paid, it waits no longer. */
function judgePaid(order: SeenOrder, tell: Tell): void {
  let least: Sighting | undefined;
  for (const sighting of order.sightings) {
    const { fields, entry } = sighting;
    const paid = centsOf(fields.paid_total);
    if (least && sighting.from > least.to && paid < centsOf(least.fields.paid_total)) {
      tell(
        'money/paid-stays',
        entry,
        `Order ${order.id} had ${money(centsOf(least.fields.paid_total))} paid, and now ${money(paid)}`,
      );
    }
    if (!least || paid >= centsOf(least.fields.paid_total)) least = sighting;
    if (fields.status === 'pending' && paid > 0 && paid >= centsOf(fields.total_price)) {
      tell(
        'money/paid-status',
        entry,
        `Order ${order.id} is fully paid (${money(paid)}), and should be paid, not pending`,
      );
    }
  }
  for (const { status, before, entry } of turnsOf(order)) {
    if (status === 'pending')
      tell('money/paid-status', entry, `Order ${order.id} was ${before}, and waits for its payment again`);
  }
}

/** The totals are the sums of the payments and refunds that are listed. */
function judgeBooks(id: number, books: Fields, entry: number | undefined, tell: Tell): void {
  const payments = listOf(books.payments);
  const refunds = listOf(books.refunds).filter(({ status }) => status !== 'failed');
  if (payments.length >= 500 || listOf(books.refunds).length >= 500) return;
  const sum = (list: Fields[]) => list.reduce((cents, { amount }) => cents + centsOf(amount), 0);
  const currencies = new Set(payments.map(({ currency }) => currency));
  if (currencies.size <= 1 && sum(payments) !== centsOf(books.paid_total)) {
    tell(
      'money/books',
      entry,
      `The payments of order ${id} are ${money(sum(payments))} together, but its paid_total is ${money(centsOf(books.paid_total))}`,
    );
  }
  if (currencies.size <= 1 && sum(refunds) !== centsOf(books.refunded_total)) {
    tell(
      'money/books',
      entry,
      `The refunds of order ${id} are ${money(sum(refunds))} together, but its refunded_total is ${money(centsOf(books.refunded_total))}`,
    );
  }
  for (const payment of payments) {
    const back = sum(refunds.filter(({ payment_id }) => payment_id === payment.id));
    if (back > centsOf(payment.amount)) {
      tell(
        'money/refund-too-much',
        entry,
        `Of payment ${String(payment.id)} of ${money(centsOf(payment.amount))}, ${money(back)} were refunded`,
      );
    }
  }
}

async function judgeRevenue(facts: Facts, tell: Tell): Promise<void> {
  if (!facts.ordersAtEnd) return;
  const answer = await facts.end.read('GET', '/api/v1/admin/stats', 'admin');
  if (answer.status !== 200) return;
  const { total_revenue, total_orders, pending_orders } = answer.body as Fields;
  const counted = facts.ordersAtEnd.filter(({ status }) => paidStatuses.has(String(status)));
  const expected = counted.reduce((cents, { total_price }) => cents + centsOf(total_price), 0);
  const own = facts.ordersAtEnd.some(
    ({ status }) => !paidStatuses.has(String(status)) && !['pending', 'cancelled', 'refunded'].includes(String(status)),
  );
  if (!own && centsOf(total_revenue) !== expected) {
    tell(
      'money/revenue',
      undefined,
      `The paid orders cost ${money(expected)}, but total_revenue is ${money(centsOf(total_revenue))}`,
    );
  }
  if (Number(total_orders) !== facts.ordersAtEnd.length) {
    tell(
      'money/order-count',
      undefined,
      `There are ${facts.ordersAtEnd.length} orders, but total_orders is ${String(total_orders)}`,
    );
  }
  const pending = facts.ordersAtEnd.filter(({ status }) => status === 'pending').length;
  if (Number(pending_orders) !== pending) {
    tell(
      'money/order-count',
      undefined,
      `There are ${pending} pending orders, but pending_orders is ${String(pending_orders)}`,
    );
  }
}
