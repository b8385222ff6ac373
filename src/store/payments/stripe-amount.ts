/** Currencies whose amounts Stripe takes whole, and in thousandths; all others in hundredths (docs.stripe.com/currencies). */
const whole = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '));
const thousandths = new Set('BHD JOD KWD OMR TND'.split(' '));

function unitsOf(currency: string): number {
  if (whole.has(currency)) return 1;
  return thousandths.has(currency) ? 1_000 : 100;
}

/** An amount in the smallest unit in which Stripe counts the currency. */
export function toStripeAmount(amount: number, currency: string): number {
  return Math.round(amount * unitsOf(currency.toUpperCase()));
}

/** Our amount of one of Stripe's. */
export function fromStripeAmount(amount: number, currency: string): number {
  return amount / unitsOf(currency.toUpperCase());
}
