// A checker in the manner of Knossos: the search of Wing and Gong, made in the order of the history, with every
// configuration remembered (Lowe, "Testing for linearizability", 2017).

/** An object as it is when one operation follows another. */
export interface SequentialModel<State, Operation, Result> {
  initial: State;
  /** Names a state: two states with one name are the same. */
  name(state: State): string;
  /**
   * The states to which an operation leads that had this result; none where it cannot have it. Without a result, those
   * to which it leads with any.
   */
  step(state: State, operation: Operation, result: Result | undefined): State[];
}

/** An operation as its caller saw it. */
export interface TimedOperation<Operation, Result> {
  id: string;
  operation: Operation;
  /** When it was called: it takes effect after whatever ended before. */
  called: number;
  /** When it ended, by which it has taken effect. Null: nobody knows that it did, so it may have, at any time since. */
  ended: number | null;
  /** For an operation of which nobody knows whether it took effect: by when it did, if it did. */
  until?: number;
  /** What it returned, where its caller learned that. */
  result?: Result;
}

export type Verdict<Operation, Result> =
  | { linearizable: true }
  /** No order of the operations explains this one; `states` are those in which it may have found the object. */
  | { linearizable: false; operation: TimedOperation<Operation, Result>; states: string[] }
  /** There were more configurations than the search may remember. */
  | { linearizable: undefined; operation: TimedOperation<Operation, Result> };

/** A state, and those of the open operations that have already taken effect on the way to it. */
interface Configuration<State> {
  state: State;
  done: ReadonlySet<string>;
}

interface Moment<Operation, Result> {
  at: number;
  /** Calls come before ends of the same time: such operations may have overlapped. */
  order: 0 | 1;
  what: 'called' | 'ended' | 'given up';
  operation: TimedOperation<Operation, Result>;
}

function momentsOf<Operation, Result>(operations: readonly TimedOperation<Operation, Result>[]) {
  const moments: Moment<Operation, Result>[] = [];
  for (const operation of operations) {
    moments.push({ at: operation.called, order: 0, what: 'called', operation });
    if (operation.ended !== null) moments.push({ at: operation.ended, order: 1, what: 'ended', operation });
    else if (operation.until !== undefined)
      moments.push({ at: operation.until, order: 1, what: 'given up', operation });
  }
  return moments.toSorted((a, b) => a.at - b.at || a.order - b.order);
}

class Configurations<State> {
  private readonly byName = new Map<string, Configuration<State>>();

  constructor(private readonly nameOf: (state: State) => string) {}

  get size(): number {
    return this.byName.size;
  }

  /** Returns whether it is new. */
  add(configuration: Configuration<State>): boolean {
    const name = JSON.stringify([this.nameOf(configuration.state), [...configuration.done].sort()]);
    if (this.byName.has(name)) return false;
    this.byName.set(name, configuration);
    return true;
  }

  all(): Configuration<State>[] {
    return [...this.byName.values()];
  }
}

/** Says whether the operations can have happened one after the other, each between its call and its end. */
export function checkLinearizability<State, Operation, Result>(
  model: SequentialModel<State, Operation, Result>,
  operations: readonly TimedOperation<Operation, Result>[],
  maxConfigurations = 50_000,
): Verdict<Operation, Result> {
  const nameOf = (state: State) => model.name(state);
  const open = new Map<string, TimedOperation<Operation, Result>>();
  let configurations = new Configurations(nameOf);
  configurations.add({ state: model.initial, done: new Set() });

  for (const { what, operation } of momentsOf(operations)) {
    if (what === 'called') {
      open.set(operation.id, operation);
      continue;
    }
    const before = configurations;
    configurations = new Configurations(nameOf);
    // Of an operation that may never have taken effect, those in which it has not stay.
    if (what === 'given up') {
      for (const configuration of before.all()) {
        if (!configuration.done.has(operation.id)) configurations.add(configuration);
      }
    }
    // Operations take effect as late as they can: only now those that may have come before this one are tried.
    const seen = new Configurations(nameOf);
    const toVisit = before.all();
    for (const configuration of toVisit) seen.add(configuration);
    while (toVisit.length > 0) {
      const { state, done } = toVisit.pop()!;
      if (done.has(operation.id)) {
        configurations.add({ state, done: without(done, operation.id) });
        continue;
      }
      for (const other of open.values()) {
        if (done.has(other.id)) continue;
        for (const next of model.step(state, other.operation, other.result)) {
          const reached = { state: next, done: new Set([...done, other.id]) };
          if (seen.add(reached)) toVisit.push(reached);
        }
      }
      if (seen.size > maxConfigurations) return { linearizable: undefined, operation };
    }
    if (configurations.size === 0) {
      const states = [...new Set(before.all().map(({ state }) => model.name(state)))];
      return { linearizable: false, operation, states };
    }
    open.delete(operation.id);
  }
  return { linearizable: true };
}

function without(done: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const rest = new Set(done);
  rest.delete(id);
  return rest;
}

/** Checks the operations of each key by themselves; a history is linearizable if that of each key is. */
export function checkEachKey<State, Operation, Result>(
  model: SequentialModel<State, Operation, Result>,
  operations: readonly TimedOperation<Operation, Result>[],
  keyOf: (operation: TimedOperation<Operation, Result>) => string,
): Map<string, Verdict<Operation, Result>> {
  const byKey = new Map<string, TimedOperation<Operation, Result>[]>();
  for (const operation of operations) {
    const key = keyOf(operation);
    byKey.set(key, [...(byKey.get(key) ?? []), operation]);
  }
  return new Map([...byKey].map(([key, ofKey]) => [key, checkLinearizability(model, ofKey)]));
}

export type StockOperation =
  | { kind: 'set'; pieces: number }
  | { kind: 'take'; pieces: number }
  /** The pieces that come back: one of these numbers, where it is not known which. */
  | { kind: 'give'; pieces: number[] }
  | { kind: 'read' }
  /** Something happened after which nobody knows the stock. */
  | { kind: 'lose-track' };

export type StockResult = { stock: number } | 'done' | 'refused';

/** The stock of a product: a number that no order takes below zero. Null as long as nobody knows it. */
export const stockModel: SequentialModel<number | null, StockOperation, StockResult> = {
  initial: null,
  name: (stock) => String(stock ?? 'unknown'),
  step(stock, operation, result) {
    const shown = typeof result === 'object' ? result.stock : undefined;
    const agrees = (state: number | null) => {
      if (shown === undefined) return [state];
      return state === null || state === shown ? [shown] : [];
    };
    switch (operation.kind) {
      case 'set':
        return result === 'refused' ? [stock] : agrees(operation.pieces);
      case 'take':
        if (stock === null) return [null];
        if (result === 'refused') return stock < operation.pieces ? [stock] : [];
        return stock < operation.pieces ? [] : agrees(stock - operation.pieces);
      case 'give':
        return operation.pieces.flatMap((pieces) => agrees(stock === null ? null : stock + pieces));
      case 'read':
        return agrees(stock);
      default:
        return [null];
    }
  },
};

/** The pieces in a cart by product. */
export type CartLines = Readonly<Record<string, number>>;

export type CartOperation =
  | { kind: 'add'; product: number; pieces: number }
  | { kind: 'set'; product: number; pieces: number }
  | { kind: 'remove'; product: number }
  | { kind: 'clear' }
  /** So many pieces of each product come in beside those that are there. */
  | { kind: 'merge'; lines: CartLines }
  | { kind: 'read' }
  /** The goods are ordered, and the cart is empty. */
  | { kind: 'order' }
  /** Something happened after which nobody knows what is in the cart. */
  | { kind: 'lose-track' };

/** The lines after the operation, or those that were ordered. */
export type CartResult = { lines: CartLines } | 'refused';

function sameLines(a: CartLines, b: CartLines): boolean {
  return nameOfLines(a) === nameOfLines(b);
}

function nameOfLines(lines: CartLines): string {
  const parts = Object.entries(lines).filter(([, pieces]) => pieces > 0);
  return parts.length === 0
    ? 'empty'
    : parts
        .map(([product, pieces]) => `${pieces} of ${product}`)
        .sort()
        .join(', ');
}

/** A cart: a multiset of products. Null as long as nobody knows what is in it. */
export const cartModel: SequentialModel<CartLines | null, CartOperation, CartResult> = {
  initial: null,
  name: (lines) => (lines === null ? 'unknown' : nameOfLines(lines)),
  step(lines, operation, result) {
    if (result === 'refused') return [lines];
    const shown = result?.lines;
    if (operation.kind === 'order') {
      if (lines !== null && nameOfLines(lines) === 'empty') return [];
      return lines === null || shown === undefined || sameLines(lines, shown) ? [{}] : [];
    }
    const next = afterCart(lines, operation);
    if (shown === undefined) return [next];
    return next === null || sameLines(next, shown) ? [shown] : [];
  },
};

function afterCart(lines: CartLines | null, operation: Exclude<CartOperation, { kind: 'order' }>): CartLines | null {
  if (operation.kind === 'clear') return {};
  if (operation.kind === 'lose-track' || lines === null) return null;
  switch (operation.kind) {
    case 'add':
      return { ...lines, [operation.product]: (lines[operation.product] ?? 0) + operation.pieces };
    case 'set':
      return { ...lines, [operation.product]: operation.pieces };
    case 'remove':
      return { ...lines, [operation.product]: 0 };
    case 'merge': {
      const sum: Record<string, number> = { ...lines };
      for (const [product, pieces] of Object.entries(operation.lines)) sum[product] = (sum[product] ?? 0) + pieces;
      return sum;
    }
    default:
      return lines;
  }
}

export type PaymentOperation =
  /** Money that comes once for each name, however often it is told. */
  | { kind: 'pay'; name: string; cents: number }
  | { kind: 'refund'; name: string; cents: number }
  /** A refund that did not come off no longer counts. */
  | { kind: 'fail'; name: string }
  | { kind: 'read' };

export type PaymentResult = { paid: number; refunded: number } | 'done' | 'again' | 'refused';

/** The money of one order: in cents, by name. */
export interface Money {
  paid: Readonly<Record<string, number>>;
  refunded: Readonly<Record<string, number>>;
}

function sumOf(amounts: Readonly<Record<string, number>>): number {
  return Object.values(amounts).reduce((sum, cents) => sum + cents, 0);
}

/** The money of an order: each payment and refund counts once, and never more goes back than came. */
export const paymentModel: SequentialModel<Money, PaymentOperation, PaymentResult> = {
  initial: { paid: {}, refunded: {} },
  name: ({ paid, refunded }) => {
    const named = (amounts: Readonly<Record<string, number>>) =>
      Object.entries(amounts)
        .map(([name, cents]) => `${name} ${cents / 100}`)
        .sort()
        .join(' + ') || '0';
    return `paid ${named(paid)}, refunded ${named(refunded)}`;
  },
  step(money, operation, result) {
    switch (operation.kind) {
      case 'pay': {
        const known = operation.name in money.paid;
        if (result === 'refused' || known) return result === 'done' && known ? [] : [money];
        if (result === 'again') return [];
        return [{ ...money, paid: { ...money.paid, [operation.name]: operation.cents } }];
      }
      case 'refund': {
        if (operation.name in money.refunded) return result === 'done' || result === 'refused' ? [] : [money];
        const tooMuch = sumOf(money.refunded) + operation.cents > sumOf(money.paid);
        if (result === 'refused') return tooMuch ? [money] : [];
        if (result === 'again' || tooMuch) return [];
        return [{ ...money, refunded: { ...money.refunded, [operation.name]: operation.cents } }];
      }
      case 'fail': {
        const { [operation.name]: failed, ...refunded } = money.refunded;
        return failed === undefined ? [] : [{ ...money, refunded }];
      }
      default:
        if (typeof result !== 'object') return [money];
        return sumOf(money.paid) === result.paid && sumOf(money.refunded) === result.refunded ? [money] : [];
    }
  },
};
