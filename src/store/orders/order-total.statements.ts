/** SQL of what `percent` takes off the goods of an order: off all of them together, rounded once, half a cent up. */
export function discountOf(goods: string, percent: string): string {
  // Multiplied, since a division would round before the rounding.
  return `round(${goods} * coalesce(${percent}, 0) * 0.01, 2)`;
}

/** SQL of the total of an order: goods less discount, plus shipping. */
export function totalOf(goods: string, discount: string, shipping: string): string {
  return `${goods} - ${discount} + coalesce(${shipping}, 0)`;
}

/** SQL of the price of shipping: nothing from `freeFrom` on, else `cost`. `goods` is their price less the discount. */
export function shippingOf(goods: string, cost: string, freeFrom: string): string {
  return `CASE WHEN ${goods} >= ${freeFrom} THEN 0 ELSE ${cost} END`;
}

/** SQL of whether shipping is refused: there is no such method, or the client believes in another cost. */
export function isOtherShipping(shipping: string, sentCost: string): string {
  return `(${shipping} IS NULL OR ${shipping} <> ${sentCost})`;
}
