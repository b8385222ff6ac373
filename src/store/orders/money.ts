// Money in code is whole cents, since binary fractions would lose some.

/** The cents of an amount with at most two decimals. */
export function toCents(amount: number): number {
  return Math.round(amount * 100);
}

/** The amount of whole cents, as the API and the database write it: a number with at most two decimals. */
export function toAmount(cents: number): number {
  return cents / 100;
}

/** The price of a line: whole cents a piece, and the number of pieces. */
export interface PricedLine {
  price_cents: number;
  quantity: number;
}

export interface Total {
  goodsCents: number;
  discountCents: number;
  totalCents: number;
}

/** `percent` (at most two decimals) of an amount, in whole cents, half a cent rounded up. */
export function percentOf(cents: number, percent: number): number {
  const hundredthsOfPercent = BigInt(Math.round(percent * 100));
  // An amount times 10,000 can exceed the integers that a number holds exactly.
  return Number((BigInt(cents) * hundredthsOfPercent + 5_000n) / 10_000n);
}

/** The total of an order: goods, less the discount on all of them (rounded once), plus shipping. */
export function totalOf(lines: readonly PricedLine[], discountPercent: number, shippingCents: number): Total {
  const goodsCents = lines.reduce((sum, line) => sum + line.price_cents * line.quantity, 0);
  const discountCents = percentOf(goodsCents, discountPercent);
  return { goodsCents, discountCents, totalCents: goodsCents - discountCents + shippingCents };
}
