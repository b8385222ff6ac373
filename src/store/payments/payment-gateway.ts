/** What a provider is asked to collect. */
export interface SessionRequest {
  /** Our id of the session, by which the provider recognizes a repeated request. */
  sessionId: string;
  orderId: number;
  amount: number;
  currency: string;
  /** Where the browser goes afterwards. */
  returnUrl: string;
  expiresAt: Date;
}

/** A page of the provider on which the customer pays. */
export interface OpenedSession {
  reference: string;
  url: string;
}

/** What became of a session at the provider. */
export type SessionOutcome =
  { state: 'open' | 'failed' | 'expired' } | { state: 'paid'; reference: string; amount: number; currency: string };

/** What a provider is asked to pay back. */
export interface RefundRequest {
  /** Our id of the refund, by which the provider recognizes a repeated request. */
  refundId: string;
  paymentReference: string;
  amount: number;
  currency: string;
}

/** The way by which money comes and goes. Each method may be repeated: the provider does the work once. */
export interface PaymentGateway {
  readonly provider: string;
  /** Opens a page on which the customer pays; null where money comes by hand. */
  open(request: SessionRequest): Promise<OpenedSession | null>;
  /** Asks what became of a session. */
  find(reference: string): Promise<SessionOutcome>;
  /** Pays back and returns the provider's reference; null where that is done by hand. Throws `GatewayRefused` for good, anything else for now. */
  refund(request: RefundRequest): Promise<string | null>;
}

/** The provider refuses, and will refuse again: its sentence is for the admin. */
export class GatewayRefused extends Error {}
