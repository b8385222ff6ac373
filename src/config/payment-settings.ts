import type { EnvironmentReader } from './environment-reader.js';
import { parseWebUrl } from './parse-url.js';

/** The shop's account at Stripe. */
export interface StripeSettings {
  secretKey: string;
  /** Signs what Stripe tells us. */
  webhookSecret: string;
  /** Where Stripe's interface is. */
  apiUrl: string;
}

export interface PaymentSettings {
  /** Unset: nobody pays through Stripe. */
  stripe: StripeSettings | undefined;
  /** How long a request waits for the provider. */
  timeoutSeconds: number;
  /** How long an order waits for its payment; 0: for good. */
  unpaidMinutes: number;
}

const isSecretKey = (value: string): boolean => /^[sr]k_[\w-]{5,250}$/.test(value);
const isSigningSecret = (value: string): boolean => /^whsec_[\w-]{5,250}$/.test(value);

/** Reads the settings of payments. */
export function readPaymentSettings(read: EnvironmentReader): PaymentSettings {
  const secretKey = read.secret('STRIPE_SECRET_KEY', 'a secret or restricted key such as sk_live_…', isSecretKey);
  const webhookSecret = read.secret(
    'STRIPE_WEBHOOK_SECRET',
    'the signing secret of the endpoint, whsec_…',
    isSigningSecret,
  );
  const apiUrl = read.parsed('STRIPE_API_URL', 'an http(s) URL', 'https://api.stripe.com', parseWebUrl);
  if ((secretKey === undefined) !== (webhookSecret === undefined)) {
    read.problems.push(
      'STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET must be set together: Stripe shows the second one beside the ' +
        'endpoint /api/v1/payments/stripe/webhook that you make there',
    );
  }
  return {
    stripe: secretKey === undefined || webhookSecret === undefined ? undefined : { secretKey, webhookSecret, apiUrl },
    timeoutSeconds: read.integer('PAYMENT_TIMEOUT_SECONDS', 10, 1, 60),
    unpaidMinutes: read.integer('ORDER_UNPAID_MINUTES', 0, 0, 525_600),
  };
}
