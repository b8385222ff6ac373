import type { PaymentProvider } from '../shop/payment-provider.js';

/** What a provider is asked to collect. */
export interface SessionRequest {
  /** Our id of the session, by which the provider recognizes a repeated request. */
  sessionId: string;
  orderId: number;
  amount: number;
  currency: string;
  /** Where the browser goes afterwards, whatever the customer did. */
  returnUrl: string;
}

/** A page of the provider on which the customer pays. */
export interface OpenedSession {
  reference: string;
  url: string;
  expiresAt: Date;
}

/** What became of a session at the provider. */
export type SessionOutcome =
  /** Pending: the customer is done, and the money is on its way. */
  { state: 'open' | 'pending' | 'failed' | 'expired' } | PaidOutcome;

export interface PaidOutcome {
  state: 'paid';
  /** The provider's name of the payment. */
  reference: string;
  amount: number;
  currency: string;
}

/** What a provider is asked to pay back. */
export interface RefundRequest {
  /** Our id of the refund, by which the provider recognizes a repeated request. */
  refundId: string;
  orderId: number;
  paymentReference: string;
  amount: number;
  currency: string;
  /** Whether it was asked for before: the provider may have done it. */
  isRetry: boolean;
}

/** The way by which money comes and goes. Each method may be repeated: the provider does the work once. */
export interface PaymentGateway {
  readonly provider: PaymentProvider;
  /** Opens a page on which the customer pays. */
  open(request: SessionRequest): Promise<OpenedSession>;
  /** Asks what became of a session. */
  find(reference: string): Promise<SessionOutcome>;
  /** Ends a session, so that nobody can pay it any more, and says what had become of it. */
  close(reference: string): Promise<SessionOutcome>;
  /** Pays back and returns the provider's reference; null where that is done by hand. */
  refund(request: RefundRequest): Promise<string | null>;
}

/** The provider refuses, and will refuse again: its sentence is for the admin. Whatever else a gateway throws may pass. */
export class GatewayRefused extends Error {
  override name = 'GatewayRefused';
}
