import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Conflict } from '../../../../src/platform/errors/errors.js';
import { Invalid } from '../../../../src/platform/errors/invalid.js';
import type { LockedOrder } from '../../../../src/store/orders/order-payment.js';
import { partsOf, refundLines, worthOf } from '../../../../src/store/payments/refund-parts.js';
import type { RefundStart } from '../../../../src/store/payments/payments.dto.js';

const start = (fields: Partial<RefundStart>) => fields as RefundStart;
const order = (paidTotal: number, refundedTotal = 0) => ({ id: 7, paidTotal, refundedTotal }) as LockedOrder;
const payment = (id: string, left: number) => ({ id, provider: `by ${id}`, left });

function refusalOf(work: () => unknown): { kind: unknown; text: string } {
  try {
    work();
  } catch (error) {
    const { message } = error as Error;
    return { kind: (error as Error).constructor, text: error instanceof Invalid ? JSON.stringify(error) : message };
  }
  throw new Error('It was taken');
}

describe('refundLines', () => {
  it('has each line once, with the pieces of all its mentions', () => {
    const lines = [
      { item_id: 1, quantity: 2 },
      { item_id: 2, quantity: 1 },
      { item_id: 1, quantity: 3 },
    ];
    expect(refundLines(start({ lines }))).toEqual([
      { itemId: 1, quantity: 5 },
      { itemId: 2, quantity: 1 },
    ]);
  });

  it('takes an amount alone, and refuses neither', () => {
    expect(refundLines(start({ amount: 5 }))).toEqual([]);
    expect(refundLines(start({ amount: 5, lines: [] }))).toEqual([]);
    const { kind, text } = refusalOf(() => refundLines(start({})));
    expect([kind, text]).toEqual([Invalid, expect.stringContaining('["body","amount"]')]);
    expect(refusalOf(() => refundLines(start({ lines: [] })))).toMatchObject({ kind: Invalid });
  });
});

describe('worthOf', () => {
  const line = (id: number, left: number, asked: number) => ({ id, name: `Line ${id}`, left, asked });
  const asked = start({ lines: [{ item_id: 1, quantity: 2 }] });

  it('is what the database counted, as long as so many pieces are left', () => {
    expect(worthOf({ amount: 12.5, lines: [line(1, 2, 2)] }, asked)).toBe(12.5);
    expect(worthOf({ amount: 0, lines: null }, start({}))).toBe(0);
  });

  it('refuses more pieces than are left, by name', () => {
    const { kind, text } = refusalOf(() => worthOf({ amount: 12.5, lines: [line(1, 1, 2)] }, asked));
    expect([kind, text]).toEqual([Conflict, expect.stringContaining('Only 1 of "Line 1" are left')]);
  });

  it('refuses a line of another order, and says which', () => {
    const two = start({
      lines: [
        { item_id: 1, quantity: 1 },
        { item_id: 9, quantity: 1 },
      ],
    });
    const { kind, text } = refusalOf(() => worthOf({ amount: 1, lines: [line(1, 2, 1)] }, two));
    expect([kind, text]).toEqual([Invalid, expect.stringContaining('["body","lines","1","item_id"]')]);
    expect(refusalOf(() => worthOf({ amount: 1, lines: null }, asked)).kind).toBe(Invalid);
  });
});

describe('partsOf', () => {
  it('takes the oldest payment first, and only what is left of each', () => {
    const payments = [payment('a', 3), payment('b', 0), payment('c', 10)];
    expect(partsOf(order(13), payments, 5)).toEqual([
      { paymentId: 'a', provider: 'by a', amount: 3 },
      { paymentId: 'c', provider: 'by c', amount: 2 },
    ]);
    expect(partsOf(order(13), payments, 3)).toEqual([{ paymentId: 'a', provider: 'by a', amount: 3 }]);
    expect(partsOf(order(13), payments, 0.01)).toEqual([{ paymentId: 'a', provider: 'by a', amount: 0.01 }]);
  });

  it('takes all that is held, and refuses a cent more', () => {
    expect(partsOf(order(13, 3), [payment('a', 10)], 10)).toHaveLength(1);
    const { kind, text } = refusalOf(() => partsOf(order(13, 3), [payment('a', 10)], 10.01));
    expect([kind, text]).toEqual([Conflict, expect.stringContaining('Only 10.00 of what was paid for order 7')]);
    expect(text).toContain('and 10.01 was to be refunded: ');
  });

  it('says where nothing was paid, and where the lines cost nothing', () => {
    expect(refusalOf(() => partsOf(order(0), [], 1)).text).toContain('Nothing was paid for order 7');
    expect(refusalOf(() => partsOf(order(13), [payment('a', 13)], 0)).text).toContain('The lines cost nothing');
  });

  it('adds up to the amount, to the cent', () => {
    const counts = fc.array(fc.integer({ min: 0, max: 100_000 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(counts, fc.double({ min: 0, max: 1, noNaN: true }), (cents, share) => {
        const sum = cents.reduce((one, other) => one + other, 0);
        const wanted = Math.max(1, Math.round(sum * share));
        fc.pre(wanted <= sum);
        const payments = cents.map((count, at) => payment(String(at), count / 100));
        const parts = partsOf(order(sum / 100), payments, wanted / 100);
        expect(parts.reduce((total, { amount }) => total + Math.round(amount * 100), 0)).toBe(wanted);
      }),
    );
  });
});
