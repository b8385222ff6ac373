/** What of a shop says how amounts are written. */
export interface MoneyOf {
  /** ISO 4217. */
  currency: string;
  /** BCP 47. */
  locale: string;
}

/** Amounts as a shop writes them; without a currency until the shop is known. */
export class MoneyTexts {
  readonly #exact: Intl.NumberFormat;
  readonly #whole: Intl.NumberFormat;

  constructor(shop: MoneyOf | null) {
    const exact: Intl.NumberFormatOptions = shop
      ? { style: 'currency', currency: shop.currency }
      : { minimumFractionDigits: 2, maximumFractionDigits: 2 };
    this.#exact = new Intl.NumberFormat(shop?.locale, exact);
    this.#whole = new Intl.NumberFormat(shop?.locale, { ...exact, minimumFractionDigits: 0, maximumFractionDigits: 0 });
  }

  /** An amount with the decimals that the currency has. */
  exact(amount: number): string {
    return this.#exact.format(amount);
  }

  /** An amount without decimals. */
  whole(amount: number): string {
    return this.#whole.format(amount);
  }
}
