import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { discountOf, isOtherShipping, shippingOf, totalOf } from '../../../src/store/orders/order-total.statements.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

const maxPriceCents = 999_999_999;
/** The goods of the largest possible cart. */
const maxGoodsCents = maxPriceCents * 999 * 500;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Whole cents as the database has them. */
const amount = (cents: bigint): string => `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;
const cents = (text: string): bigint => BigInt(text.replace('.', ''));

interface Priced {
  goods: bigint;
  percent: number;
  shipping: bigint | null;
}

/** The discount and the total of each, in cents. */
async function priced(orders: Priced[]): Promise<{ discount: bigint; total: bigint }[]> {
  const rows = await database.rows<{ discount: string; total: string }>(
    `SELECT discount::text, (${totalOf('goods', 'discount', 'shipping')})::numeric(16, 2)::text AS total
       FROM (SELECT *, ${discountOf('goods', 'percent')} AS discount
               FROM unnest($1::numeric(16, 2)[], $2::numeric(5, 2)[], $3::numeric(7, 2)[])
               WITH ORDINALITY AS given (goods, percent, shipping, n)) AS discounted
      ORDER BY n`,
    [
      orders.map(({ goods }) => amount(goods)),
      orders.map(({ percent }) => percent),
      orders.map(({ shipping }) => shipping && amount(shipping)),
    ],
  );
  return rows.map(({ discount, total }) => ({ discount: cents(discount), total: cents(total) }));
}

const hundredths = (percent: number): bigint => BigInt(Math.round(percent * 100));

describe('The total of an order', () => {
  it('is goods less discount plus shipping, the discount within half a cent, half a cent rounded up', async () => {
    const orders = fc.sample(
      fc.record<Priced>({
        goods: fc.bigInt({ min: 0n, max: BigInt(maxGoodsCents) }),
        percent: fc.integer({ min: 0, max: 10_000 }).map((share) => share / 100),
        shipping: fc.option(fc.bigInt({ min: 0n, max: 1_000_000n })),
      }),
      5_000,
    );
    const wrong = (await priced(orders)).filter(({ discount, total }, n) => {
      const { goods, percent, shipping } = orders[n] as Priced;
      const rest = goods * hundredths(percent) - discount * 10_000n;
      return rest < -5_000n || rest >= 5_000n || total !== goods - discount + (shipping ?? 0n);
    });
    expect(wrong).toEqual([]);
  });

  it.each([
    [5n, 10, 1n],
    [4n, 10, 0n],
    [1_000n, 0.05, 1n],
    [999n, 0.05, 0n],
    [199n, 50, 100n],
    [1n, 100, 1n],
    [4_990n, 33.33, 1_663n],
    [BigInt(maxGoodsCents), 100, BigInt(maxGoodsCents)],
    // Half a cent less a ten-thousandth: rounded twice, it would become a cent.
    [499_499_999_494_999n, 0.01, 49_949_999_949n],
  ])('of goods of %d cents at %d percent is less %d cents', async (goods, percent, discount) => {
    expect((await priced([{ goods, percent, shipping: 0n }]))[0]).toEqual({ discount, total: goods - discount });
  });
});

describe('The shipping of an order', () => {
  const read = async (sql: string) => (await database.rows<{ is: unknown }>(`SELECT ${sql} AS is`))[0]?.is;

  it('costs nothing from a price of the goods on', async () => {
    const costs = ['49.99', '50.00', '50.01'].map((goods) => read(`(${shippingOf(goods, '4.90', '50.00')})::text`));
    expect(await Promise.all(costs)).toEqual(['4.90', '0', '0']);
    expect(await read(`(${shippingOf('1000.00', '4.90', 'null::numeric')})::text`)).toBe('4.90');
  });

  it('is refused where there is no such method, or the client believes in another cost', async () => {
    const refused = [
      ['4.90', '4.90'],
      ['4.90', '4.91'],
      ['null::numeric', '4.90'],
      ['null::numeric', 'null::numeric'],
    ].map(([cost = '', sent = '']) => read(isOtherShipping(cost, sent)));
    expect(await Promise.all(refused)).toEqual([false, true, true, true]);
    expect(await read(isOtherShipping('4.90', 'null::numeric'))).toBeNull();
  });
});
