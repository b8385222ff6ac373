import type { Settings } from '../../config/settings.js';

export const paymentProviders = ['manual', 'stripe', 'demo'] as const;
export type PaymentProvider = (typeof paymentProviders)[number];

/**
 * How the shop takes money: by Stripe where it has a key, by the page "Pay / Decline" where there are demo data outside
 * production, and else by hand.
 */
export function paymentProviderOf({
  payments,
  demoData,
  production,
}: Pick<Settings, 'payments' | 'demoData' | 'production'>): PaymentProvider {
  if (payments.stripeSecretKey !== undefined) return 'stripe';
  return demoData && !production ? 'demo' : 'manual';
}
