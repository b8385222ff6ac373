/** SQL of what `percent` takes off the goods of an order: off all of them together, rounded once, half a cent up. */
export function discountOf(goods: string, percent: string): string {
  // Multiplied, since a division would round before the rounding.
  return `round(${goods} * coalesce(${percent}, 0) * 0.01, 2)`;
}

/** SQL of the total of an order: goods less discount, plus shipping. */
export function totalOf(goods: string, discount: string, shipping: string): string {
  return `${goods} - ${discount} + coalesce(${shipping}, 0)`;
}
