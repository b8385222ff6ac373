import type { OpenedSession, PaymentGateway, SessionOutcome } from './payment-gateway.js';

/** Money that comes and goes outside the service: an admin records it. */
export class ManualGateway implements PaymentGateway {
  readonly provider = 'manual';

  open(): Promise<OpenedSession> {
    return Promise.reject(new Error('Nobody pays by hand through the service'));
  }

  find(): Promise<SessionOutcome> {
    return Promise.resolve({ state: 'open' });
  }

  close(): Promise<SessionOutcome> {
    return Promise.resolve({ state: 'expired' });
  }

  refund(): Promise<null> {
    return Promise.resolve(null);
  }
}
