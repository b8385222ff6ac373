import type { Settings } from '../../config/settings.js';

/** The ways by which the shop is paid. */
export const paymentProviders = ['manual', 'stripe', 'demo'] as const;
export type PaymentProvider = (typeof paymentProviders)[number];

/** The way by which orders are paid now: Stripe where it is set up, else the demo's page beside demo data, else by hand. */
export function paymentProviderOf({ payments, demoData, production }: Settings): PaymentProvider {
  if (payments.stripe) return 'stripe';
  return demoData && !production ? 'demo' : 'manual';
}
