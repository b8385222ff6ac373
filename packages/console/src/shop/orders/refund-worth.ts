/** What of a line of an order decides what its pieces are worth. */
interface RefundableLine {
  /** The price of one piece. */
  price: number;
  quantity: number;
  /** The pieces that were refunded before. */
  refunded: number;
  /** The pieces to refund now. */
  asked: number;
}

const toCents = (amount: number): bigint => BigInt(Math.round(amount * 100));

/** The quotient of two amounts that are not negative, rounded to the nearest, half up. */
const divided = (amount: bigint, by: bigint): bigint => (2n * amount + by) / (2n * by);

/**
 * What pieces of an order are worth, as the service says: their part of what the goods cost after the discount. It is the
 * difference of two sums, so that the parts of an order add up to it exactly.
 */
export function worthOf(lines: readonly RefundableLine[], discount: number): number {
  const sum = (pieces: (line: RefundableLine) => number) =>
    lines.reduce((total, line) => total + toCents(line.price) * BigInt(pieces(line)), 0n);
  const goods = sum(({ quantity }) => quantity);
  if (goods === 0n) return 0;
  const paidFor = goods - toCents(discount);
  const before = divided(sum(({ refunded }) => refunded) * paidFor, goods);
  const after = divided(sum(({ refunded, asked }) => refunded + asked) * paidFor, goods);
  return Number(after - before) / 100;
}
