import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  cartModel,
  checkEachKey,
  checkLinearizability,
  paymentModel,
  stockModel,
  type CartOperation,
  type CartResult,
  type PaymentOperation,
  type PaymentResult,
  type StockOperation,
  type StockResult,
  type TimedOperation,
} from '../../simulation/linearizability.js';

let count = 0;

function timed<Operation, Result>(called: number, ended: number | null, operation: Operation, result?: Result) {
  const step: TimedOperation<Operation, Result> = { id: `${count++}`, called, ended, operation };
  return result === undefined ? step : { ...step, result };
}

const stock = (called: number, ended: number | null, operation: StockOperation, result?: StockResult) =>
  timed(called, ended, operation, result);
const inCart = (called: number, ended: number | null, operation: CartOperation, result?: CartResult) =>
  timed(called, ended, operation, result);
const paid = (called: number, ended: number | null, operation: PaymentOperation, result?: PaymentResult) =>
  timed(called, ended, operation, result);

/** Whether an order of the operations explains them, found by trying each of those that may come next. */
function canBeOrdered(pieces: number | null, left: readonly TimedOperation<StockOperation, StockResult>[]): boolean {
  if (left.every(({ ended }) => ended === null)) return true;
  return left.some((one) => {
    const others = left.filter((other) => other !== one);
    // It comes next where none of those that took effect for sure had ended before it was called.
    const mayBeNext = others.every(({ ended }) => ended === null || ended >= one.called);
    const without = others.filter((other) => other.ended !== null || (other.until ?? Infinity) >= one.called);
    const never = one.ended === null && canBeOrdered(pieces, others);
    if (never) return true;
    return mayBeNext && stockModel.step(pieces, one.operation, one.result).some((next) => canBeOrdered(next, without));
  });
}

const four = stock(0, 1, { kind: 'set', pieces: 4 }, 'done');

describe('checkLinearizability', () => {
  it('takes operations that followed one another in their order', () => {
    const history = [
      four,
      stock(2, 3, { kind: 'take', pieces: 3 }, 'done'),
      stock(4, 5, { kind: 'read' }, { stock: 1 }),
    ];
    expect(checkLinearizability(stockModel, history)).toEqual({ linearizable: true });
  });

  it('finds a read that is older than an operation that had ended', () => {
    const stale = stock(4, 5, { kind: 'read' }, { stock: 4 });
    const history = [four, stock(2, 3, { kind: 'take', pieces: 3 }, 'done'), stale];
    expect(checkLinearizability(stockModel, history)).toEqual({ linearizable: false, operation: stale, states: ['1'] });
  });

  it('takes either order of operations that overlapped', () => {
    const take = stock(2, 9, { kind: 'take', pieces: 3 }, 'done');
    for (const seen of [4, 1]) {
      expect(checkLinearizability(stockModel, [four, take, stock(3, 4, { kind: 'read' }, { stock: seen })])).toEqual({
        linearizable: true,
      });
    }
    const [first, second] = [stock(3, 4, { kind: 'read' }, { stock: 1 }), stock(5, 6, { kind: 'read' }, { stock: 4 })];
    expect(checkLinearizability(stockModel, [four, take, first, second])).toMatchObject({ operation: second });
  });

  it('refuses the last piece that two got', () => {
    const takes = [1, 2].map(() => stock(2, 5, { kind: 'take', pieces: 3 }, 'done'));
    expect(checkLinearizability(stockModel, [four, ...takes]).linearizable).toBe(false);
    const refused = stock(2, 5, { kind: 'take', pieces: 3 }, 'refused');
    expect(checkLinearizability(stockModel, [four, takes[0]!, refused]).linearizable).toBe(true);
    expect(checkLinearizability(stockModel, [four, refused]).linearizable).toBe(false);
  });

  it('lets an operation of unknown outcome happen late, or never', () => {
    const unknown = stock(2, null, { kind: 'take', pieces: 3 });
    const read = (at: number, pieces: number) => stock(at, at + 1, { kind: 'read' }, { stock: pieces });
    expect(checkLinearizability(stockModel, [four, unknown, read(3, 4), read(5, 1)]).linearizable).toBe(true);
    expect(checkLinearizability(stockModel, [four, unknown, read(3, 4), read(5, 4)]).linearizable).toBe(true);
    expect(checkLinearizability(stockModel, [four, unknown, read(3, 1), read(5, 4)]).linearizable).toBe(false);
    const inTime = { ...unknown, until: 4.5 };
    expect(checkLinearizability(stockModel, [four, inTime, read(3, 4), read(5, 1)]).linearizable).toBe(true);
    const late = { ...unknown, until: 2.5 };
    expect(checkLinearizability(stockModel, [four, late, read(3, 4), read(5, 4), read(7, 1)]).linearizable).toBe(false);
  });

  it('lets an operation of unknown outcome happen after another that was still running', () => {
    const begin = inCart(0, 1, { kind: 'clear' }, { lines: {} });
    const clear = inCart(2, 9, { kind: 'clear' });
    const add = { ...inCart(3, null, { kind: 'add', product: 7, pieces: 1 }), until: 5 };
    const read = inCart(10, 11, { kind: 'read' }, { lines: { 7: 1 } });
    expect(checkLinearizability(cartModel, [begin, clear, add, read]).linearizable).toBe(true);
  });

  it('says what trying every order says, of any short history', () => {
    const step = fc.record({
      called: fc.integer({ min: 2, max: 9 }),
      lasts: fc.integer({ min: 1, max: 5 }),
      outcome: fc.constantFrom('known' as const, 'unknown' as const, 'never told' as const),
      does: fc.oneof(
        fc.integer({ min: 0, max: 5 }).map((seen) => ({ kind: 'read' as const, result: { stock: seen } })),
        fc.integer({ min: 1, max: 3 }).map((pieces) => ({ kind: 'take' as const, pieces, result: 'done' as const })),
        fc.integer({ min: 1, max: 3 }).map((pieces) => ({ kind: 'take' as const, pieces, result: 'refused' as const })),
        fc
          .integer({ min: 1, max: 2 })
          .map((pieces) => ({ kind: 'give' as const, pieces: [pieces], result: 'done' as const })),
      ),
    });
    let [taken, refused] = [0, 0];
    fc.assert(
      fc.property(fc.array(step, { maxLength: 5 }), (steps) => {
        const history = steps.map(({ called, lasts, outcome, does: { result, ...operation } }) => {
          if (outcome === 'known') return stock(called, called + lasts, operation, result);
          const unknown = stock(called, null, operation);
          return outcome === 'unknown' ? { ...unknown, until: called + lasts } : unknown;
        });
        const isRight = canBeOrdered(4, history);
        if (isRight) taken += 1;
        else refused += 1;
        expect(checkLinearizability(stockModel, [four, ...history]).linearizable).toBe(isRight);
      }),
      { numRuns: 1_000, seed: 40 },
    );
    expect([taken > 100, refused > 100]).toEqual([true, true]);
  });

  it('says so where there are more configurations than it may remember', () => {
    const unknown = Array.from({ length: 12 }, (_, at) => stock(2, null, { kind: 'give', pieces: [2 ** at] }));
    const read = stock(3, 4, { kind: 'read' }, { stock: 4 });
    expect(checkLinearizability(stockModel, [four, ...unknown, read], 100).linearizable).toBeUndefined();
  });
});

describe('cartModel', () => {
  it('adds up, and is emptied by the order of what was in it', () => {
    const history = [
      inCart(0, 1, { kind: 'clear' }, { lines: {} }),
      inCart(2, 3, { kind: 'add', product: 7, pieces: 2 }, { lines: { 7: 2 } }),
      inCart(4, 5, { kind: 'add', product: 7, pieces: 1 }, { lines: { 7: 3 } }),
      inCart(6, 7, { kind: 'order' }, { lines: { 7: 3 } }),
      inCart(8, 9, { kind: 'read' }, { lines: {} }),
    ];
    expect(checkLinearizability(cartModel, history).linearizable).toBe(true);
    const twice = inCart(10, 11, { kind: 'order' }, { lines: { 7: 3 } });
    expect(checkLinearizability(cartModel, [...history, twice])).toMatchObject({ operation: twice, states: ['empty'] });
  });

  it('loses neither of two additions at once', () => {
    const begin = inCart(0, 1, { kind: 'clear' }, { lines: {} });
    const both = [
      inCart(2, 5, { kind: 'add', product: 7, pieces: 1 }),
      inCart(2, 5, { kind: 'add', product: 8, pieces: 1 }),
    ];
    const read = (lines: Record<string, number>) => inCart(6, 7, { kind: 'read' }, { lines });
    expect(checkLinearizability(cartModel, [begin, ...both, read({ 7: 1, 8: 1 })]).linearizable).toBe(true);
    expect(checkLinearizability(cartModel, [begin, ...both, read({ 8: 1 })]).linearizable).toBe(false);
  });
});

describe('paymentModel', () => {
  const pay = (at: number, result?: PaymentResult) => paid(at, at + 1, { kind: 'pay', name: 'r1', cents: 500 }, result);

  it('counts what has one name once', () => {
    const read = paid(8, 9, { kind: 'read' }, { paid: 500, refunded: 0 });
    expect(checkLinearizability(paymentModel, [pay(0, 'done'), pay(2, 'again'), read]).linearizable).toBe(true);
    expect(checkLinearizability(paymentModel, [pay(0, 'done'), pay(2, 'done')]).linearizable).toBe(false);
    const double = paid(8, 9, { kind: 'read' }, { paid: 1000, refunded: 0 });
    expect(checkLinearizability(paymentModel, [pay(0, 'done'), pay(2, 'again'), double]).linearizable).toBe(false);
  });

  it('gives back no more than came, by two at once as by one', () => {
    const refund = (name: string, result: PaymentResult) => paid(2, 5, { kind: 'refund', name, cents: 300 }, result);
    expect(
      checkLinearizability(paymentModel, [pay(0, 'done'), refund('a', 'done'), refund('b', 'done')]).linearizable,
    ).toBe(false);
    expect(
      checkLinearizability(paymentModel, [pay(0, 'done'), refund('a', 'done'), refund('b', 'refused')]).linearizable,
    ).toBe(true);
    const failed = paid(6, 7, { kind: 'fail', name: 'a' }, 'done');
    const again = paid(8, 9, { kind: 'refund', name: 'c', cents: 500 }, 'done');
    expect(checkLinearizability(paymentModel, [pay(0, 'done'), refund('a', 'done'), failed, again]).linearizable).toBe(
      true,
    );
  });
});

describe('checkEachKey', () => {
  it('judges each object by itself', () => {
    const operations = [four, stock(2, 3, { kind: 'read' }, { stock: 3 })];
    const verdicts = checkEachKey(stockModel, operations, ({ id }) => (id === four.id ? 'a' : 'b'));
    expect([...verdicts.values()].map(({ linearizable }) => linearizable)).toEqual([true, true]);
    expect(checkEachKey(stockModel, operations, () => 'a').get('a')?.linearizable).toBe(false);
  });
});
