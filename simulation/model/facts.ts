import { type EndState, type HistoryEntry } from '../history.js';
import { callsOf, isDone, isRefused, isUncertain, match, repeats, type Call } from './calls.js';
import { mayTurn } from './order-statuses.js';
import { fieldsOf, listOf, numberOf, textOf, type Fields } from './values.js';

/** Reports a violation: the rule, the entry that shows it (none: the end state), and the sentence. */
export type Tell = (rule: string, entry: number | undefined, message: string) => void;

/** What all answers that show one thing say of it. */
export interface Sighting {
  /** The moments between which it was so. */
  from: number;
  to: number;
  at: number;
  /** The entry that shows it; none where the end state does. */
  entry: number | undefined;
  fields: Fields;
  /** Whether the answer is of an operation that everybody may call, and so may keep some fields to itself. */
  isOpenToAll: boolean;
}

export interface Account {
  username: string;
  email: string | undefined;
  userId: string | undefined;
}

export interface SeenOrder {
  id: number;
  /** The call that was answered with it when it was placed. */
  placedBy: Call | undefined;
  /** In the order in which they ended. Answers that may be those of an earlier request are left out. */
  sightings: Sighting[];
}

/** Everything in the history that more than one rule asks for. */
export interface Facts {
  history: readonly HistoryEntry[];
  calls: readonly Call[];
  end: EndState;
  orders: ReadonlyMap<number, SeenOrder>;
  /** The payments and refunds of each order of whose money the end state was asked. */
  moneyAtEnd: ReadonlyMap<number, Fields>;
  /** All orders in the end state; undefined where it did not show them. */
  ordersAtEnd: readonly Fields[] | undefined;
  accounts: readonly Account[];
  /** Who sent a call, as far as a login in the history says so. */
  accountOf(call: Call): Account | undefined;
  /** Whether anything was broken between two entries. */
  faultBetween(from: number, to: number): boolean;
  /** The simulated time at the end. */
  endedAt: number;
}

const pageSize = 100;
const maxPages = 500;

/** Reads a list that takes `skip` and `limit`, or undefined where the end state does not have it. */
export async function readSkipping(end: EndState, path: string, as = 'admin'): Promise<Fields[] | undefined> {
  const all: Fields[] = [];
  for (let page = 0; page < maxPages; page++) {
    const separator = path.includes('?') ? '&' : '?';
    const answer = await end.read('GET', `${path}${separator}skip=${page * pageSize}&limit=${pageSize}`, as);
    if (answer.status !== 200 || !Array.isArray(answer.body)) return undefined;
    const items = listOf(answer.body);
    all.push(...items);
    if (items.length < pageSize) return all;
  }
  return undefined;
}

/** Reads a list with a cursor, whose pages have `data` and the cursor in the field `next`. */
export async function readCursor(
  end: EndState,
  path: string,
  { as = 'admin', size = 'size=100', send = 'cursor', next = 'next_cursor' } = {},
): Promise<Fields[] | undefined> {
  const all: Fields[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page++) {
    const query = [size, ...(cursor === undefined ? [] : [`${send}=${encodeURIComponent(cursor)}`])].join('&');
    const answer = await end.read('GET', `${path}${path.includes('?') ? '&' : '?'}${query}`, as);
    const body = fieldsOf(answer.body);
    if (answer.status !== 200 || !Array.isArray(body.data)) return undefined;
    all.push(...listOf(body.data));
    cursor = textOf(body[next]);
    if (cursor === undefined || body.more === false) return all;
  }
  return undefined;
}

/** The orders that an answer shows. */
function ordersIn(call: Call): Fields[] {
  if (!isDone(call) || !/^(\/admin)?\/orders(\/|$)/.test(call.path)) return [];
  const found = Array.isArray(call.raw) ? listOf(call.raw) : [call.answer, fieldsOf(call.answer.order)];
  return found.filter((one) => numberOf(one.id) !== undefined && textOf(one.status) !== undefined && one.items);
}

function isPlacing(call: Call): boolean {
  return Boolean(match(call, 'POST', '/orders') ?? match(call, 'POST', '/orders/checkout'));
}

function accountsOf(calls: readonly Call[]): { accounts: Account[]; accountOf(call: Call): Account | undefined } {
  const byName = new Map<string, Account>();
  const byToken = new Map<string, Account>();
  const waiting = new Map<string, Account>();
  const byRefreshToken = new Map<string, Account>();
  const named = (username: string) => {
    const key = username.toLowerCase();
    let account = byName.get(key);
    if (!account) byName.set(key, (account = { username, email: undefined, userId: undefined }));
    return account;
  };
  for (const call of calls) {
    const token = textOf(call.answer.access_token);
    let account: Account | undefined;
    if (match(call, 'POST', '/auth/register') && isDone(call)) {
      Object.assign(named(String(call.body.username)), {
        email: textOf(call.body.email),
        userId: textOf(call.answer.id),
      });
    } else if (match(call, 'POST', '/auth/login') && isDone(call)) {
      const name = String(call.body.username);
      account = [...byName.values()].find(({ email }) => email?.toLowerCase() === name.toLowerCase()) ?? named(name);
      const temporary = textOf(call.answer.temp_token);
      if (temporary !== undefined) waiting.set(temporary, account);
    } else if (match(call, 'POST', '/auth/login/totp') && isDone(call)) {
      account = waiting.get(String(call.body.temp_token));
    } else if (match(call, 'POST', '/auth/refresh') && isDone(call)) {
      account = byRefreshToken.get(String(call.body.refresh_token));
    } else if (call.token !== undefined) {
      account = byToken.get(call.token);
    }
    if (account === undefined || !isDone(call)) continue;
    if (token !== undefined) byToken.set(token, account);
    const refreshToken = textOf(call.answer.refresh_token);
    if (refreshToken !== undefined) byRefreshToken.set(refreshToken, account);
    if (call.path === '/auth/me' || call.path === '/users/me/profile') {
      account.userId ??= textOf(call.answer.id);
      account.email ??= textOf(call.answer.email);
    } else if (call.path.startsWith('/cart') || isPlacing(call)) {
      account.userId ??= textOf(call.answer.user_id);
    }
  }
  return {
    accounts: [...byName.values()],
    accountOf: (call) => (call.token === undefined ? undefined : byToken.get(call.token)),
  };
}

function seenOrders(calls: readonly Call[], atEnd: readonly Fields[] | undefined, last: number, endedAt: number) {
  const orders = new Map<number, SeenOrder>();
  const seen = (id: number) => {
    let order = orders.get(id);
    if (!order) orders.set(id, (order = { id, placedBy: undefined, sightings: [] }));
    return order;
  };
  const withKeys = new Map<string, Call[]>();
  for (const call of calls) {
    const before = withKeys.get(call.idempotencyKey ?? '') ?? [];
    const isRepeated = before.some((earlier) => repeats(call, earlier) && !isRefused(earlier));
    if (call.idempotencyKey !== undefined) withKeys.set(call.idempotencyKey, [...before, call]);
    for (const fields of ordersIn(call)) {
      const order = seen(Number(fields.id));
      if (isPlacing(call)) order.placedBy ??= call;
      if (!isRepeated)
        order.sightings.push({
          from: call.from,
          to: call.n,
          at: call.endedAt,
          entry: call.n,
          fields,
          isOpenToAll: Boolean(match(call, 'GET', '/orders/*')),
        });
    }
  }
  for (const fields of atEnd ?? []) {
    seen(Number(fields.id)).sightings.push({
      from: last,
      to: last,
      at: endedAt,
      entry: undefined,
      fields,
      isOpenToAll: false,
    });
  }
  return orders;
}

/** Reads the end state, and finds what happened. */
export async function gatherFacts(history: readonly HistoryEntry[], end: EndState): Promise<Facts> {
  const calls = callsOf(history);
  const last = history.length + 1;
  const endedAt = Math.max(0, ...history.map(({ at }) => Date.parse(at)), Date.parse(end.at ?? '') || 0);
  const ordersAtEnd = await readSkipping(end, '/api/v1/admin/orders');
  const orders = seenOrders(calls, ordersAtEnd, last, endedAt);
  const moneyAtEnd = new Map<number, Fields>();
  const touched = new Set(
    calls.flatMap((call) => /^(?:\/admin)?\/orders\/(\d+)\/(?:payments?|refunds)$/.exec(call.path)?.[1] ?? []),
  );
  for (const id of touched) {
    const answer = await end.read('GET', `/api/v1/admin/orders/${id}/payments`, 'admin');
    if (answer.status === 200) moneyAtEnd.set(Number(id), fieldsOf(answer.body));
  }
  const faults = history.filter(({ kind }) => kind === 'fault').map(({ n }) => n);
  return {
    history,
    calls,
    end,
    orders,
    moneyAtEnd,
    ordersAtEnd,
    ...accountsOf(calls),
    faultBetween: (from, to) => faults.some((n) => n >= from && n <= to),
    endedAt,
  };
}

/** The calls that may have placed an order without its caller learning so. */
export function placingUnanswered(facts: Facts): Call[] {
  return facts.calls.filter((call) => isPlacing(call) && isUncertain(call));
}

/**
 * Between which moments an order was placed. Where nobody was answered with it, a request whose answer was lost placed
 * it: some time after that was sent, and before the order was first seen.
 */
export function placedBetween(facts: Facts, order: SeenOrder): { from: number; to: number } | undefined {
  const firstSeen = Math.min(...order.sightings.map(({ to }) => to));
  if (order.placedBy === undefined) {
    const userId = order.sightings[0]?.fields.user_id;
    const unanswered = placingUnanswered(facts).filter((call) => {
      const account = facts.accountOf(call);
      return account?.userId === undefined || account.userId === userId;
    });
    if (unanswered.length === 0) return undefined;
    return { from: Math.min(...unanswered.map(({ from }) => from)), to: firstSeen };
  }
  // With an Idempotency-Key, an earlier request whose answer was lost may have placed it.
  const { placedBy } = order;
  const attempts = facts.calls.filter((call) => repeats(placedBy, call) && call.n < placedBy.n);
  return {
    from: Math.min(placedBy.from, ...attempts.map(({ from }) => from)),
    to: Math.min(placedBy.n, firstSeen),
  };
}

/** When an order came to have a status: after it was last seen with another one, and before it was seen with this. */
export interface Turn {
  from: number;
  to: number;
  before: string;
  status: string;
  entry: number | undefined;
}

/** The statuses of an order in turn, as its sightings show them. */
export function turnsOf(order: SeenOrder): Turn[] {
  const turns: Turn[] = [];
  let last: Sighting | undefined;
  for (const sighting of order.sightings) {
    const status = String(sighting.fields.status);
    const before = last && String(last.fields.status);
    // Of two answers at the same time, the one that ended later may show what was before.
    const isOlder = last && before !== undefined && sighting.from < last.to && mayTurn(status, before);
    if (isOlder && before !== status) continue;
    if (last && before !== undefined && before !== status) {
      turns.push({ from: last.from, to: sighting.to, before, status, entry: sighting.entry });
    }
    if (!last || before !== status || sighting.from > last.from) last = sighting;
  }
  return turns;
}
