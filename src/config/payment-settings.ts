import type { EnvironmentReader } from './environment-reader.js';

/** How the shop is paid. */
export interface PaymentSettings {
  /** Unset: Stripe takes no money for the shop. */
  stripeSecretKey: string | undefined;
}

/** Reads the settings of payments. */
export function readPaymentSettings(read: EnvironmentReader): PaymentSettings {
  const isKey = (value: string) => /^[sr]k_[A-Za-z0-9_]{8,300}$/.test(value);
  return {
    stripeSecretKey: read.secret('STRIPE_SECRET_KEY', 'a secret or restricted key of Stripe, such as sk_live_…', isKey),
  };
}
