/** Writes a count before its noun as a language does: `1 order`, `2,000 orders`. */
export function countedIn(locale: string): (count: number, one: string, others: string) => string {
  const numbers = new Intl.NumberFormat(locale);
  const plural = new Intl.PluralRules(locale);
  return (count, one, others) => `${numbers.format(count)} ${plural.select(count) === 'one' ? one : others}`;
}
