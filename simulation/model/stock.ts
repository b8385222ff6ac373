import {
  checkLinearizability,
  stockModel,
  type StockOperation,
  type StockResult,
  type TimedOperation,
} from '../linearizability.js';
import { isDone, isUncertain, match, precedes, repeats, type Call } from './calls.js';
import {
  placedBetween,
  readSkipping,
  turnsOf,
  type Facts,
  type SeenOrder,
  type Sighting,
  type Tell,
  type Turn,
} from './facts.js';
import { fieldsOf, headerOf, listOf, numberOf, type Fields } from './values.js';

type Step = TimedOperation<StockOperation, StockResult>;

/** A public answer may come from memory, and miss what happened on another node this long before. */
const cacheMs = 2_000;

const shippedStatuses = new Set(['shipped', 'delivered', 'completed']);

/** The stock of each product: what there was, came, was sold and came back. Never below zero, nothing lost. */
export async function judgeStock(facts: Facts, tell: Tell): Promise<void> {
  const steps = new Map<number, Step[]>();
  const add = (product: number, step: Omit<Step, 'id'>) => {
    const known = steps.get(product) ?? [];
    known.push({ id: `${known.length}`, ...step });
    steps.set(product, known);
  };
  const productsAtEnd = await readSkipping(facts.end, '/api/v1/admin/products');
  for (const call of facts.calls) addCall(facts, call, add, tell);
  for (const order of facts.orders.values()) addOrder(facts, order, add);
  const last = facts.history.length + 2;
  for (const product of productsAtEnd ?? []) {
    const stock = Number(product.stock);
    if (stock < 0) tell('stock/never-below-zero', undefined, `Product ${String(product.id)} has a stock of ${stock}`);
    add(Number(product.id), { operation: { kind: 'read' }, called: last, ended: last, result: { stock } });
  }
  const losesTrack = facts.calls.find((call) => losesAll(call));
  for (const [product, ofProduct] of steps) {
    if (losesTrack) continue;
    const verdict = checkLinearizability(stockModel, ofProduct, 20_000);
    if (verdict.linearizable !== false) continue;
    const { operation, states } = verdict;
    const entry = operation.ended === null || operation.ended > facts.history.length ? undefined : operation.ended;
    tell(
      'stock/conserved',
      entry,
      `Product ${product}: ${wordsOf(operation)}; by what was set, sold and returned, its stock can be ${states.join(' or ')}`,
    );
  }
}

function wordsOf({ operation, result }: Step): string {
  if (typeof result === 'object') return `a stock of ${result.stock} is shown`;
  if (operation.kind === 'take') return `${operation.pieces} pieces were sold`;
  if (operation.kind === 'give') return `${operation.pieces.join(' or ')} pieces came back`;
  return `the stock was ${result === 'refused' ? 'not ' : ''}changed`;
}

/** Calls after which the model knows no stock any more: files of products, and rows made by test mode. */
function losesAll(call: Call): boolean {
  if (call.method !== 'POST' || (!isDone(call) && !isUncertain(call))) return false;
  if (call.path === '/admin/products/import') return call.query.get('dry_run') !== 'true';
  return call.path === '/test/orders' || call.path === '/test/reset';
}

type Add = (product: number, step: Omit<Step, 'id'>) => void;

function addCall(facts: Facts, call: Call, add: Add, tell: Tell): void {
  const timed = { called: call.from, ended: call.n };
  for (const product of productsIn(call)) {
    if (Number(product.stock) < 0) {
      tell('stock/never-below-zero', call.n, `Product ${String(product.id)} has a stock of ${String(product.stock)}`);
    }
  }
  if (match(call, 'POST', '/products') ?? match(call, 'POST', '/admin/products')) {
    if (isDone(call)) {
      const stock = Number(call.body.stock);
      add(Number(call.answer.id), {
        ...timed,
        operation: { kind: 'set', pieces: stock },
        result: { stock: Number(call.answer.stock) },
      });
    }
    return;
  }
  const [changed] = match(call, 'PUT', '/products/*') ?? match(call, 'PUT', '/admin/products/*') ?? [];
  const pieces = numberOf(call.body.stock);
  if (changed !== undefined && pieces !== undefined) {
    const operation = { kind: 'set', pieces } as const;
    if (isDone(call)) add(Number(changed), { ...timed, operation, result: { stock: Number(call.answer.stock) } });
    else if (isUncertain(call))
      add(Number(changed), { called: call.from, ended: null, until: call.n + lateBy, operation });
    return;
  }
  if (call.method !== 'GET' && changed === undefined) return;
  const called = isFromMemory(call) ? cachedSince(facts, call) : call.from;
  for (const product of productsIn(call)) {
    const stock = Number(product.stock);
    add(Number(product.id), { called, ended: call.n, operation: { kind: 'read' }, result: { stock } });
  }
}

/** By how many entries a request whose answer was lost may take effect later than that. */
const lateBy = 50;

/** The products that an answer shows as they are. */
function productsIn(call: Call): Fields[] {
  if (!isDone(call)) return [];
  const isProduct = (one: Fields) => numberOf(one.id) !== undefined && numberOf(one.stock) !== undefined;
  if (/^(\/admin)?\/products(\/|$)/.test(call.path) && call.path !== '/products/facets') {
    const related = listOf(call.answer.products);
    return [call.answer, ...listOf(call.raw), ...related].filter(isProduct);
  }
  if (match(call, 'GET', '/cart'))
    return listOf(call.answer.items)
      .map(({ product }) => fieldsOf(product))
      .filter(isProduct);
  return [];
}

function isFromMemory(call: Call): boolean {
  return call.path.startsWith('/products') && headerOf(call.entry.headers, 'authorization') === undefined;
}

/**
 * The earliest moment that a cached answer may show. Another node's change shows within two seconds; a simulated day
 * may pass in fewer real ones, so that some entries more count as well.
 */
function cachedSince(facts: Facts, call: Call): number {
  const recent = facts.calls.find(({ endedAt }) => endedAt >= call.sentAt - cacheMs);
  return Math.min(call.from - 20, (recent?.n ?? call.from) - 0.5);
}

function addOrder(facts: Facts, order: SeenOrder, add: Add): void {
  const [first] = order.sightings;
  const placed = placedBetween(facts, order);
  if (!first || !placed) return;
  const lines = listOf(first.fields.items);
  for (const line of lines) {
    add(Number(line.product_id), {
      called: placed.from,
      ended: placed.to,
      operation: { kind: 'take', pieces: Number(line.quantity) },
      result: 'done',
    });
  }
  const refunds = refundsOf(facts, order.id);
  for (const refund of refunds) {
    for (const { item, pieces } of refund.lines) {
      const line = lines.find(({ id }) => id === item);
      if (!line || !refund.restock) continue;
      add(Number(line.product_id), {
        called: refund.from,
        ended: refund.isDone ? refund.to : null,
        operation: { kind: 'give', pieces: refund.isDone ? [pieces] : [0, pieces] },
      });
    }
  }
  const turns = turnsOf(order);
  const final = turns.find(hasEnded) ?? endedUnseen(first, placed);
  if (!final) return;
  const returns = returnsAll(facts, order.id, turns, final, refunds);
  if (returns === 'nothing') return;
  for (const line of lines) {
    const pieces = Number(line.quantity);
    const settledBy = (only: Refund[]) =>
      only.flatMap(({ lines: some }) => some).reduce((sum, some) => sum + (some.item === line.id ? some.pieces : 0), 0);
    const before = settledBy(refunds.filter(({ to }) => to < final.from));
    const beside = settledBy(refunds.filter(({ to }) => to >= final.from));
    const rest = new Set([pieces - before, pieces - before - beside]);
    if (returns === 'perhaps') rest.add(0);
    add(Number(line.product_id), {
      called: final.from,
      ended: final.to,
      operation: { kind: 'give', pieces: [...rest].filter((some) => some >= 0) },
    });
  }
}

function hasEnded({ status }: Pick<Turn, 'status'>): boolean {
  return status === 'cancelled' || status === 'refunded';
}

/** The end of an order that nobody saw before: the answer to the request that placed it was lost. */
function endedUnseen({ fields, to, entry }: Sighting, placed: { from: number }): Turn | undefined {
  const turn = { from: placed.from, to, before: 'pending', status: String(fields.status), entry };
  return hasEnded(turn) ? turn : undefined;
}

/** Whether the pieces of an order that ended come back: those of a cancelled one, and of one that was never shipped. */
function returnsAll(
  facts: Facts,
  id: number,
  turns: Turn[],
  final: Turn,
  refunds: Refund[],
): 'all' | 'perhaps' | 'nothing' {
  if (final.status === 'cancelled') return 'all';
  const earlier = turns.slice(0, turns.indexOf(final) + 1).map(({ before }) => before);
  if (earlier.some((status) => shippedStatuses.has(status))) return 'nothing';
  // Between two sightings it may have been shipped by somebody whose answer was lost, or by another client.
  const shipped = facts.calls.some((call) => mayShip(call, id) && call.n > final.from && call.from < final.to);
  const keeps = facts.calls.some(
    (call) => match(call, 'POST', `/admin/orders/${id}/refunds`) && call.body.restock === false,
  );
  return shipped || keeps || refunds.some(({ lines }) => lines.length > 0) ? 'perhaps' : 'all';
}

function mayShip(call: Call, id: number): boolean {
  if (match(call, 'PUT', `/admin/orders/${id}/status`)) {
    return shippedStatuses.has((call.query.get('new_status') ?? '').toLowerCase());
  }
  return (
    Boolean(match(call, 'PUT', '/admin/orders/status')) &&
    shippedStatuses.has(String(call.body.new_status).toLowerCase())
  );
}

interface Refund {
  from: number;
  to: number;
  isDone: boolean;
  restock: boolean;
  lines: { item: unknown; pieces: number }[];
}

/** The refunds of an order, and when they may have brought pieces back. */
function refundsOf(facts: Facts, orderId: number): Refund[] {
  const calls = facts.calls.filter((call) => match(call, 'POST', `/admin/orders/${orderId}/refunds`));
  const last = facts.history.length + 1;
  const answered = new Map<string, { call: Call; fields: Fields }>();
  for (const call of calls) {
    if (!isDone(call)) continue;
    for (const fields of listOf(call.answer.refunds)) {
      if (!answered.has(String(fields.id))) answered.set(String(fields.id), { call, fields });
    }
  }
  const atEnd = listOf(facts.moneyAtEnd.get(orderId)?.refunds);
  const all = atEnd.length > 0 ? atEnd : [...answered.values()].map(({ fields }) => fields);
  return all
    .filter(({ status }) => status !== 'failed')
    .map((fields) => {
      const known = answered.get(String(fields.id));
      const tries = known
        ? calls.filter((call) => call === known.call || (repeats(known.call, call) && !precedes(known.call, call)))
        : calls.filter(isUncertain);
      const wasDone = known?.fields.status === 'done';
      return {
        from: Math.min(last, ...tries.map(({ from }) => from)),
        to: wasDone ? known.call.n : last,
        isDone: fields.status === 'done',
        restock: fields.restock !== false,
        lines: listOf(fields.lines).map(({ item_id, quantity }) => ({ item: item_id, pieces: Number(quantity) })),
      };
    });
}
