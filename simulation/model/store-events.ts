import { isDone, match } from './calls.js';
import { readCursor, turnsOf, type Facts, type Tell } from './facts.js';
import { fieldsOf, listOf, sameJson, textOf, type Fields } from './values.js';

const keptMs = 30 * 86_400_000;
const marginMs = 60_000;

/** All events of the shop that there are at the end, oldest first. */
export function readStoreEvents(facts: Facts): Promise<Fields[] | undefined> {
  return readCursor(facts.end, '/api/v1/admin/events', { size: 'limit=500', send: 'after', next: 'next' });
}

/** Events of the shop: one for each change that was committed, and each reader gets every one once and in order. */
export function judgeStoreEvents(facts: Facts, events: readonly Fields[], tell: Tell): void {
  const places = new Map(events.map(({ id }, place) => [String(id), place]));
  if (places.size !== events.length) tell('store-events/once', undefined, 'The list of events has one of them twice');
  judgeReaders(facts, events, places, tell);
  judgeOrders(facts, events, tell);
  judgeOthers(facts, events, tell);
}

/** The kept ones: who read an older one may have read it before it went. */
function isKept(facts: Facts, event: Fields): boolean {
  return Date.parse(String(event.created_at)) > facts.endedAt - keptMs + marginMs;
}

function judgeReaders(facts: Facts, events: readonly Fields[], places: ReadonlyMap<string, number>, tell: Tell): void {
  /** How many events come before a position: those up to the last one that the answer with it had. */
  const positions = new Map<string, number>();
  for (const call of facts.calls) {
    if (!match(call, 'GET', '/admin/events') || !isDone(call)) continue;
    const after = call.query.get('after');
    const before = after === null ? undefined : positions.get(after);
    let next = before;
    for (const event of listOf(call.answer.data)) {
      const place = places.get(String(event.id));
      if (place === undefined) {
        if (isKept(facts, event)) {
          tell(
            'store-events/rolled-back',
            call.n,
            `Event ${String(event.id)} (${String(event.type)}) was read, and is not in the list at the end`,
          );
        }
        continue;
      }
      if (next !== undefined && place !== next) {
        const missed =
          place > next ? `event ${String(events[next]!.id)} (${String(events[next]!.type)}) next` : 'no event twice';
        tell(
          'store-events/no-gap',
          call.n,
          `Whoever goes on from ${after ?? 'the beginning'} should get ${missed}, and gets ${String(event.id)}`,
        );
      }
      next = place + 1;
      if (!sameJson(withoutCustomer(event), withoutCustomer(events[place]!))) {
        tell(
          'store-events/unchanged',
          call.n,
          `Event ${String(event.id)} should stay ${JSON.stringify(event)}, and is ${JSON.stringify(events[place])}`,
        );
      }
    }
    const position = textOf(call.answer.next);
    if (position !== undefined && next !== undefined && !positions.has(position)) positions.set(position, next);
  }
}

/** Customers' names go with their account, and are not shown to everybody. */
function withoutCustomer({ id, type, created_at, data }: Fields): Fields {
  const { customer, ...rest } = fieldsOf(data);
  return { id, type, created_at, data: rest, customer: fieldsOf(customer).id };
}

function countOf(events: readonly Fields[], type: string, what: string, id: unknown): number {
  return events.filter((event) => event.type === type && fieldsOf(fieldsOf(event.data)[what]).id === id).length;
}

const reachedBy: Record<string, readonly string[]> = {
  'order.paid': ['paid', 'processing', 'shipped', 'delivered', 'completed', 'cancelled', 'refunded'],
  'order.shipped': ['shipped', 'delivered', 'completed', 'refunded'],
  'order.cancelled': ['cancelled'],
};

function judgeOrders(facts: Facts, events: readonly Fields[], tell: Tell): void {
  const began = Math.min(...facts.calls.map(({ sentAt }) => sentAt));
  const madeByTests = facts.calls.some(({ path }) => path === '/test/orders');
  for (const order of facts.orders.values()) {
    const created = Date.parse(String(order.sightings[0]?.fields.created_at));
    if (madeByTests || !(created >= began) || created < facts.endedAt - keptMs + marginMs) continue;
    const placed = countOf(events, 'order.placed', 'order', order.id);
    if (placed !== 1) {
      tell(
        'store-events/complete',
        order.placedBy?.n ?? order.sightings[0]?.entry,
        `Order ${order.id} should have one event order.placed, and has ${placed}`,
      );
    }
    const statuses = new Set(turnsOf(order).map(({ status }) => status));
    for (const status of ['paid', 'shipped', 'cancelled', 'refunded']) {
      const count = countOf(events, `order.${status}`, 'order', order.id);
      const entry = turnsOf(order).find((turn) => turn.status === status)?.entry;
      // Money that goes back in part is told as order.refunded, too.
      const mayRepeat =
        status === 'refunded' && order.sightings.some(({ fields }) => Number(fields.refunded_total) > 0);
      if (statuses.has(status) ? (mayRepeat ? count < 1 : count !== 1) : !mayRepeat && count > 1) {
        tell(
          'store-events/complete',
          entry,
          `Order ${order.id} became ${status} once, and has ${count} events order.${status}`,
        );
      }
    }
  }
  const atEnd = new Map((facts.ordersAtEnd ?? []).map((order) => [order.id, String(order.status)]));
  if (!facts.ordersAtEnd) return;
  for (const event of events) {
    if (!String(event.type).startsWith('order.')) continue;
    const { id } = fieldsOf(fieldsOf(event.data).order);
    const status = atEnd.get(id);
    const fitting = reachedBy[String(event.type)];
    const isOwn = status !== undefined && !['pending', ...reachedBy['order.paid']!].includes(status);
    const isWithoutRefund =
      event.type === 'order.refunded' &&
      status !== 'refunded' &&
      !(Number(fieldsOf(fieldsOf(event.data).order).refunded_total) > 0);
    if (status === undefined || isWithoutRefund || (fitting && !fitting.includes(status) && !isOwn)) {
      tell(
        'store-events/rolled-back',
        undefined,
        `Event ${String(event.id)} is ${String(event.type)} of order ${String(id)}, which is ${status ?? 'not there'}`,
      );
    }
  }
}

function judgeOthers(facts: Facts, events: readonly Fields[], tell: Tell): void {
  const expect = (entry: number, at: number, type: string, what: string, id: unknown) => {
    if (at < facts.endedAt - keptMs + marginMs) return;
    const count = countOf(events, type, what, id);
    if (count !== 1)
      tell('store-events/complete', entry, `${what} ${String(id)} should have one event ${type}, and has ${count}`);
  };
  for (const call of facts.calls) {
    if (!isDone(call)) continue;
    const { n, sentAt, answer } = call;
    if (match(call, 'POST', '/products') ?? match(call, 'POST', '/admin/products'))
      expect(n, sentAt, 'product.created', 'product', answer.id);
    if (match(call, 'POST', '/reviews/product/*')) expect(n, sentAt, 'review.created', 'review', answer.id);
    if (match(call, 'POST', '/auth/register')) expect(n, sentAt, 'customer.created', 'customer', answer.id);
    const [product] = match(call, 'DELETE', '/admin/products/*') ?? [];
    if (product !== undefined) expect(n, sentAt, 'product.deleted', 'product', Number(product));
    const [user] = match(call, 'DELETE', '/admin/users/*') ?? [];
    if (user !== undefined) expect(n, sentAt, 'customer.deleted', 'customer', user);
    const own = match(call, 'DELETE', '/users/me/profile') && facts.accountOf(call)?.userId;
    if (own) expect(n, sentAt, 'customer.deleted', 'customer', own);
  }
}
