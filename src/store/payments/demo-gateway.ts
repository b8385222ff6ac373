import type {
  OpenedSession,
  PaymentGateway,
  RefundRequest,
  SessionOutcome,
  SessionRequest,
} from './payment-gateway.js';

const lifetimeMs = 24 * 3_600_000;

/** Pays with no money, on a page of the service itself: for trying a purchase out. */
export class DemoGateway implements PaymentGateway {
  readonly provider = 'demo';

  constructor(private readonly linkTo: (path: string) => string) {}

  open({ sessionId }: SessionRequest): Promise<OpenedSession> {
    const url = this.linkTo(`/payments/demo/${sessionId}`);
    return Promise.resolve({ reference: `demo_${sessionId}`, url, expiresAt: new Date(Date.now() + lifetimeMs) });
  }

  /** The page itself tells what the customer chose. */
  find(): Promise<SessionOutcome> {
    return Promise.resolve({ state: 'open' });
  }

  close(): Promise<SessionOutcome> {
    return Promise.resolve({ state: 'expired' });
  }

  refund({ refundId }: RefundRequest): Promise<string> {
    return Promise.resolve(`demo_${refundId}`);
  }
}
