import {
  cartModel,
  checkLinearizability,
  type CartLines,
  type CartOperation,
  type CartResult,
  type TimedOperation,
} from '../linearizability.js';
import { isDone, isUncertain, match, repeats, type Call } from './calls.js';
import { placedBetween, type Facts, type Tell } from './facts.js';
import { listOf, type Fields } from './values.js';

type Step = TimedOperation<CartOperation, CartResult>;

/** A cart holds what was put into it, and an order has what was in the cart. */
export function judgeCarts(facts: Facts, tell: Tell): void {
  const gone = productsThatLeave(facts);
  const lineProducts = new Map<string, number>();
  for (const call of facts.calls) {
    for (const line of itemsOf(call)) lineProducts.set(String(line.id), Number(line.product_id));
  }
  const byCart = new Map<string, Step[]>();
  const add = (cart: string, step: Omit<Step, 'id'>) => {
    const known = byCart.get(cart) ?? [];
    known.push({ id: `${known.length}`, ...step });
    byCart.set(cart, known);
  };
  for (const call of facts.calls) {
    const account = facts.accountOf(call);
    if (!account || !call.path.startsWith('/cart')) continue;
    if (isDone(call)) judgeQuantities(call, tell);
    const attempts = mergesOf(facts, call);
    // A merge that was tried several times with its key was made once: its first answer tells, and shows the cart as it was.
    const isTold = attempts.some((one) => one.n !== call.n && isDone(one) && (one.n < call.n || !isDone(call)));
    if (isTold) continue;
    const named = operationOf(call, lineProducts);
    const leaves = named && 'product' in named && gone.has(named.product);
    const operation: CartOperation | undefined = leaves ? { kind: 'read' } : named;
    if (!operation || !(isDone(call) || isUncertain(call))) continue;
    const cart = account.username.toLowerCase();
    if (isDone(call)) {
      const lines = linesOf(itemsOf(call), gone);
      const called = Math.min(call.from, ...attempts.map(({ from }) => from));
      add(cart, { called, ended: call.n, operation, result: { lines } });
    } else if (operation.kind !== 'read') {
      add(cart, { called: call.from, ended: null, until: call.n + 50, operation });
    }
  }
  for (const order of facts.orders.values()) {
    const placed = placedBetween(facts, order);
    const account = facts.accounts.find(
      ({ userId }) => userId !== undefined && userId === order.sightings[0]?.fields.user_id,
    );
    if (!placed || !account) continue;
    const lines = linesOf(listOf(order.sightings[0]!.fields.items), gone);
    const operation = Object.keys(lines).length > 0 ? ({ kind: 'order' } as const) : ({ kind: 'lose-track' } as const);
    const result = operation.kind === 'order' ? { result: { lines } } : {};
    add(account.username.toLowerCase(), { called: placed.from, ended: placed.to, operation, ...result });
  }
  for (const [cart, steps] of byCart) {
    const verdict = checkLinearizability(cartModel, steps, 20_000);
    if (verdict.linearizable !== false) continue;
    const { operation, states } = verdict;
    const shown = typeof operation.result === 'object' ? cartModel.name(operation.result.lines) : 'this';
    const what =
      operation.operation.kind === 'order' ? 'was ordered' : `is in the cart after "${operation.operation.kind}"`;
    tell(
      'cart/contents',
      operation.ended ?? undefined,
      `${shown} ${what} of ${cart}; before, it can have held ${states.join(' or ')}`,
    );
  }
}

/** All attempts at one merge, by its key. */
function mergesOf(facts: Facts, call: Call): Call[] {
  if (!match(call, 'POST', '/cart/merge') || call.idempotencyKey === undefined) return [];
  return facts.calls.filter((one) => one === call || repeats(one, call));
}

function itemsOf(call: Call): Fields[] {
  if (!isDone(call) || !call.path.startsWith('/cart')) return [];
  return listOf(call.path === '/cart/merge' ? (call.answer.cart as Fields | undefined)?.items : call.answer.items);
}

function linesOf(items: Fields[], gone: ReadonlySet<number>): CartLines {
  const lines: Record<string, number> = {};
  for (const { product_id, quantity } of items) {
    if (!gone.has(Number(product_id))) lines[String(product_id)] = (lines[String(product_id)] ?? 0) + Number(quantity);
  }
  return lines;
}

function judgeQuantities(call: Call, tell: Tell): void {
  const seen = new Set<unknown>();
  for (const { product_id, quantity } of itemsOf(call)) {
    if (Number(quantity) < 1 || Number(quantity) > 999) {
      tell(
        'cart/quantity',
        call.n,
        `A cart holds 1 to 999 pieces of a product, and here ${String(quantity)} of ${String(product_id)}`,
      );
    }
    if (seen.has(product_id)) tell('cart/one-line', call.n, `Product ${String(product_id)} stands in the cart twice`);
    seen.add(product_id);
  }
}

function operationOf(call: Call, lineProducts: ReadonlyMap<string, number>): CartOperation | undefined {
  const pieces = Number(call.body.quantity);
  if (match(call, 'GET', '/cart')) return { kind: 'read' };
  if (match(call, 'DELETE', '/cart')) return { kind: 'clear' };
  if (match(call, 'POST', '/cart/add')) return { kind: 'add', product: Number(call.body.product_id), pieces };
  // What a merge cuts depends on the stock of the moment: its answer says what was added. Repeated with its key it adds nothing.
  if (match(call, 'POST', '/cart/merge')) {
    if (!isDone(call)) return { kind: 'lose-track' };
    const lines = listOf(call.answer.lines).map(({ product_id, added }) => [String(product_id), Number(added)]);
    return { kind: 'merge', lines: Object.fromEntries(lines) as CartLines };
  }
  const [changed] = match(call, 'PUT', '/cart/items/*') ?? [];
  const [removed] = match(call, 'DELETE', '/cart/items/*') ?? [];
  const product = lineProducts.get(changed ?? removed ?? '');
  if (product === undefined) return (changed ?? removed) ? { kind: 'lose-track' } : undefined;
  return changed === undefined ? { kind: 'remove', product } : { kind: 'set', product, pieces };
}

/** Products that were deleted or hidden leave all carts, at a moment that no answer of a cart tells. */
function productsThatLeave(facts: Facts): Set<number> {
  const gone = new Set<number>();
  for (const call of facts.calls) {
    if (!isDone(call) && !isUncertain(call)) continue;
    const [deleted] = match(call, 'DELETE', '/admin/products/*') ?? [];
    if (deleted !== undefined) gone.add(Number(deleted));
    const [changed] = match(call, 'PUT', '/admin/products/*') ?? [];
    if (changed !== undefined && call.body.status === 'draft') gone.add(Number(changed));
    if (match(call, 'POST', '/admin/products/bulk') && call.body.status === 'draft') {
      for (const id of Array.isArray(call.body.ids) ? call.body.ids : []) gone.add(Number(id));
    }
  }
  return gone;
}
