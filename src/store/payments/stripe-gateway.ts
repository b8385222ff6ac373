import type { Stripe } from 'stripe';
import type { StripeSettings } from '../../config/payment-settings.js';
import { Deadline } from '../../platform/net/deadline.js';
import {
  GatewayRefused,
  type OpenedSession,
  type PaymentGateway,
  type RefundRequest,
  type SessionOutcome,
  type SessionRequest,
} from './payment-gateway.js';
import { fromStripeAmount, toStripeAmount } from './stripe-amount.js';

/** How far a webhook's clock may be from ours. */
const toleranceSeconds = 300;
/** What Stripe refuses for good: its other errors are about the account, the network or the moment. */
const refusals = new Set(['StripeInvalidRequestError', 'StripeCardError']);
/** The events that tell about a session. */
const sessionEvents = new Set([
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
]);

/** What a webhook tells: our id of the session, the provider's, and what became of it. */
export interface ToldSession {
  sessionId: string;
  reference: string;
  outcome: SessionOutcome;
}

/**
 * Stripe's hosted Checkout: card data never reach the service. Its package is loaded with the first use. Stripe repeats the
 * answer to an idempotency key for a day, even where that was an error, so a repeated refund looks first whether it was made.
 */
export class StripeGateway implements PaymentGateway {
  readonly provider = 'stripe';
  private loaded: Promise<Stripe> | undefined;

  constructor(
    private readonly settings: StripeSettings,
    private readonly timeoutMs: number,
  ) {}

  async open({ sessionId, orderId, amount, currency, returnUrl }: SessionRequest): Promise<OpenedSession> {
    const line = {
      quantity: 1,
      price_data: {
        currency: currency.toLowerCase(),
        unit_amount: toStripeAmount(amount, currency),
        product_data: { name: `Order ${orderId}` },
      },
    };
    const metadata = { order_id: String(orderId), session_id: sessionId };
    const session = await this.asked((stripe) =>
      stripe.checkout.sessions.create(
        {
          mode: 'payment',
          line_items: [line],
          client_reference_id: sessionId,
          metadata,
          payment_intent_data: { metadata },
          success_url: returnUrl,
          cancel_url: returnUrl,
        },
        { idempotencyKey: sessionId },
      ),
    );
    if (!session.url) throw new Error(`Stripe opened a session without a page: ${session.id}`);
    return { reference: session.id, url: session.url, expiresAt: new Date(session.expires_at * 1_000) };
  }

  async find(reference: string): Promise<SessionOutcome> {
    return outcomeOf(await this.asked((stripe) => stripe.checkout.sessions.retrieve(reference)));
  }

  async close(reference: string): Promise<SessionOutcome> {
    try {
      return outcomeOf(await this.asked((stripe) => stripe.checkout.sessions.expire(reference)));
    } catch (error) {
      // Stripe ends only open sessions: this one ended in another way.
      if (error instanceof GatewayRefused) return this.find(reference);
      throw error;
    }
  }

  async refund(request: RefundRequest): Promise<string> {
    const { refundId, orderId, paymentReference, amount, currency } = request;
    const made = request.isRetry ? await this.madeRefund(refundId, paymentReference) : undefined;
    const params = {
      payment_intent: paymentReference,
      amount: toStripeAmount(amount, currency),
      metadata: { order_id: String(orderId), refund_id: refundId },
    };
    const refund = made ?? (await this.asked((stripe) => stripe.refunds.create(params, { idempotencyKey: refundId })));
    if (refund.status === 'failed' || refund.status === 'canceled') {
      throw new GatewayRefused(`Stripe could not pay it back: ${refund.failure_reason ?? refund.status}`);
    }
    return refund.id;
  }

  /** What a webhook tells about a session; null where it tells about something else. Throws where it is not Stripe's. */
  async read(body: Buffer, signature: string): Promise<ToldSession | null> {
    const stripe = await this.client();
    const event = stripe.webhooks.constructEvent(body, signature, this.settings.webhookSecret, toleranceSeconds);
    if (!sessionEvents.has(event.type)) return null;
    const session = event.data.object as Stripe.Checkout.Session;
    const sessionId = session.client_reference_id ?? '';
    const failed = event.type === 'checkout.session.async_payment_failed';
    return { sessionId, reference: session.id, outcome: failed ? { state: 'failed' } : outcomeOf(session) };
  }

  private async madeRefund(refundId: string, paymentReference: string): Promise<Stripe.Refund | undefined> {
    const { data } = await this.asked((stripe) =>
      stripe.refunds.list({ payment_intent: paymentReference, limit: 100 }),
    );
    return data.find(({ metadata }) => metadata?.['refund_id'] === refundId);
  }

  private async asked<T>(ask: (stripe: Stripe) => Promise<T>): Promise<T> {
    const deadline = new Deadline(this.timeoutMs);
    try {
      return await deadline.race(this.client().then(ask));
    } catch (error) {
      const { type, message } = error as { type?: string; message: string };
      if (type !== undefined && refusals.has(type))
        throw new GatewayRefused(`Stripe says: ${message}`, { cause: error });
      throw error;
    } finally {
      deadline.stop();
    }
  }

  private client(): Promise<Stripe> {
    this.loaded ??= this.load();
    return this.loaded;
  }

  private async load(): Promise<Stripe> {
    const { Stripe: Client } = await import('stripe');
    const { protocol, hostname, port } = new URL(this.settings.apiUrl);
    return new Client(this.settings.secretKey, {
      protocol: protocol === 'http:' ? 'http' : 'https',
      host: hostname,
      port: port || (protocol === 'http:' ? 80 : 443),
      timeout: this.timeoutMs,
      maxNetworkRetries: 1,
      telemetry: false,
    });
  }
}

function outcomeOf(session: Stripe.Checkout.Session): SessionOutcome {
  const { status, payment_status, payment_intent, amount_total, currency } = session;
  if (status === 'expired') return { state: 'expired' };
  if (status !== 'complete') return { state: 'open' };
  if (payment_status !== 'paid') return { state: 'pending' };
  const reference = typeof payment_intent === 'string' ? payment_intent : (payment_intent?.id ?? session.id);
  const paidIn = (currency ?? '').toUpperCase();
  return { state: 'paid', reference, amount: fromStripeAmount(amount_total ?? 0, paidIn), currency: paidIn };
}
