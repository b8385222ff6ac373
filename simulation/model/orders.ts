import { isDone, isUncertain, match, precedes, type Call } from './calls.js';
import { turnsOf, type Facts, type SeenOrder, type Tell } from './facts.js';
import { finalStatuses as final, mayTurn, statusesInOrder as inOrder } from './order-statuses.js';
import { sameJson, textOf } from './values.js';

/** How long a key is remembered. */
const keyMs = 24 * 3600_000;

/** Orders: one a key, none lost, none that nobody placed, and no way back. */
export function judgeOrders(facts: Facts, tell: Tell): void {
  for (const order of facts.orders.values()) {
    judgeTurns(facts, order, tell);
    judgePlaced(facts, order, tell);
  }
  judgeKeys(facts, tell);
  judgeAnswers(facts, tell);
}

function judgeTurns(facts: Facts, order: SeenOrder, tell: Tell): void {
  // Words of the shop's own may stand between two sightings.
  const own = facts.calls.some((call) => {
    const status = (call.query.get('new_status') ?? textOf(call.body.new_status) ?? '').toLowerCase();
    return (
      /\/orders\/(\d+\/)?status$/.test(call.path) &&
      status !== 'canceled' &&
      !final.has(status) &&
      !inOrder.includes(status)
    );
  });
  for (const { before, status, entry } of turnsOf(order)) {
    if (mayTurn(before, status) || (own && !final.has(before))) continue;
    tell('orders/transition', entry, `Order ${order.id} was ${before}, from where it cannot become ${status}`);
  }
}

function judgePlaced(facts: Facts, order: SeenOrder, tell: Tell): void {
  if (order.placedBy) {
    const created = Date.parse(String(order.sightings[0]?.fields.created_at ?? order.placedBy.answer.created_at));
    if (created > order.placedBy.endedAt + 1_000) {
      tell(
        'orders/created-at',
        order.placedBy.n,
        `Order ${order.id} was placed by ${order.placedBy.entry.at}, but says it was at ${new Date(created).toISOString()}`,
      );
    }
    if (facts.ordersAtEnd && !facts.ordersAtEnd.some(({ id }) => id === order.id)) {
      tell(
        'orders/lost',
        order.placedBy.n,
        `Order ${order.id} was answered as placed, and is not in the list of orders at the end`,
      );
    }
    if (order.placedBy.answer.status !== 'pending') {
      tell(
        'orders/begins-pending',
        order.placedBy.n,
        `Order ${order.id} should begin as pending, and is ${String(order.placedBy.answer.status)}`,
      );
    }
    return;
  }
  // Orders of before the history were placed before its first entry.
  const began = Math.min(...facts.calls.map(({ sentAt }) => sentAt));
  const created = Date.parse(String(order.sightings[0]?.fields.created_at));
  if (created < began || facts.calls.some(({ path }) => path === '/test/orders')) return;
  const users = new Map(facts.accounts.map((account) => [account, account.userId]));
  const userId = order.sightings[0]?.fields.user_id;
  const unanswered = facts.calls.some((call) => {
    if (!isUncertain(call) || !(match(call, 'POST', '/orders') ?? match(call, 'POST', '/orders/checkout')))
      return false;
    const account = facts.accountOf(call);
    const owner = account && users.get(account);
    return owner === undefined || owner === userId;
  });
  if (!unanswered) {
    tell(
      'orders/of-nobody',
      order.sightings[0]?.entry,
      `Order ${order.id} is there, but nobody was answered with it and no answer to its customer was lost`,
    );
  }
}

/** Requests with one Idempotency-Key by one caller, in the order in which they ended. */
function callsByKey(facts: Facts, isOne: (call: Call) => boolean): Call[][] {
  const byKey = new Map<string, Call[]>();
  for (const call of facts.calls) {
    if (call.idempotencyKey === undefined || !isOne(call)) continue;
    const who = facts.accountOf(call)?.username ?? call.token ?? call.entry.client;
    const key = JSON.stringify([who, call.path, call.idempotencyKey]);
    byKey.set(key, [...(byKey.get(key) ?? []), call]);
  }
  return [...byKey.values()];
}

/** One key is one order, payment, refund or import for a day: the same body gets the same answer, another one a 422. */
function judgeKeys(facts: Facts, tell: Tell): void {
  for (const calls of callsByKey(facts, ({ method }) => method === 'POST')) {
    for (const [place, call] of calls.entries()) {
      const firsts = calls
        .slice(0, place)
        .filter((earlier) => isDone(earlier) && call.endedAt - earlier.sentAt < keyMs);
      const first = firsts.find((earlier) => precedes(earlier, call)) ?? firsts[0];
      if (!first) continue;
      const same = sameJson(first.entry.body, call.entry.body);
      if (isDone(call) && !same) {
        tell(
          'keys/other-body',
          call.n,
          `The key of entry ${first.n} came with another body: expected a 422, got ${call.status}`,
        );
      } else if (isDone(call) && !sameJson(whatItMade(first), whatItMade(call))) {
        tell(
          'keys/once',
          call.n,
          `The key of entry ${first.n} should give its answer again (${whatItMade(first)}), and gave ${whatItMade(call)}`,
        );
      } else if (same && (call.status === 400 || call.status === 422) && precedes(first, call)) {
        tell(
          'keys/once',
          call.n,
          `The key of entry ${first.n} with the same body should give its answer again, and gave a ${call.status}`,
        );
      }
    }
  }
}

/** The ids of what a request made. */
function whatItMade({ answer }: Call): string {
  const { id, payment, refunds, scan, url } = answer as {
    id?: unknown;
    payment?: { id?: unknown };
    refunds?: { id?: unknown }[];
    scan?: { id?: unknown };
    url?: unknown;
  };
  return JSON.stringify({
    id,
    payment: payment?.id,
    refunds: refunds?.map((refund) => refund.id),
    scan: scan?.id,
    url,
  });
}

/** Changes of a status, judged by what the order was when they were sent. */
function judgeAnswers(facts: Facts, tell: Tell): void {
  for (const call of facts.calls) {
    const [changed] = match(call, 'PUT', '/admin/orders/*/status') ?? [];
    const [cancelled] = match(call, 'POST', '/orders/*/cancel') ?? [];
    const id = Number(changed ?? cancelled);
    const order = facts.orders.get(id);
    if ((changed ?? cancelled) === undefined || !order) continue;
    const word = (call.query.get('new_status') ?? 'cancelled').toLowerCase();
    const wanted = word === 'canceled' ? 'cancelled' : word;
    if (isDone(call) && String(call.answer.status).toLowerCase() !== wanted) {
      tell(
        'orders/status-answer',
        call.n,
        `Order ${id} should now be ${wanted}, and the answer says ${String(call.answer.status)}`,
      );
    }
    const earlier = order.sightings.findLast(({ to }) => to < call.from);
    const beside = order.sightings.some(
      ({ to, from, entry }) => entry !== call.n && to > (earlier?.to ?? 0) && from < call.n,
    );
    const status = String(earlier?.fields.status);
    if (!earlier || beside) continue;
    if (isDone(call) && status !== wanted && !mayTurn(status, wanted)) {
      tell('orders/transition', call.n, `Order ${id} was ${status}: expected a 409 for ${wanted}, got ${call.status}`);
    }
    if (cancelled !== undefined && isDone(call) && status !== 'pending' && status !== 'cancelled') {
      tell(
        'orders/cancel',
        call.n,
        `Order ${id} was ${status}: its owner can cancel it only while it is pending, but was answered ${call.status}`,
      );
    }
    if (
      status === wanted &&
      call.status === 409 &&
      changed !== undefined &&
      call.answer.code === 'impossible_transition'
    ) {
      tell(
        'orders/same-status',
        call.n,
        `Order ${id} already was ${wanted}: expected a 200 that changes nothing, got a 409`,
      );
    }
  }
}
