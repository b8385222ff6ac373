import { Injectable } from '@nestjs/common';
import { NotFound, RuleBroken } from '../../platform/errors/errors.js';
import type { WebhookReceipt } from './payments.dto.js';
import { PaymentGateways } from './payment-gateways.js';
import { SessionOutcomesService } from './session-outcomes.service.js';
import type { StripeGateway, ToldSession } from './stripe-gateway.js';

/** Takes the webhooks of Stripe, which may come twice, late, and in any order. */
@Injectable()
export class StripeWebhooksService {
  constructor(
    private readonly gateways: PaymentGateways,
    private readonly outcomes: SessionOutcomesService,
  ) {}

  /**
   * Records what a signed event tells of a session; others are received and ignored. `NotFound` where Stripe is not set up,
   * `RuleBroken` for a body that Stripe did not sign within five minutes.
   */
  async receive(body: unknown, signature: string): Promise<WebhookReceipt> {
    const { stripe } = this.gateways;
    if (!stripe) throw new NotFound('Payments by Stripe are not set up');
    const told = await this.read(stripe, Buffer.isBuffer(body) ? body : Buffer.alloc(0), signature);
    if (told) await this.outcomes.told(told);
    return { received: true };
  }

  private async read(stripe: StripeGateway, body: Buffer, signature: string): Promise<ToldSession | null> {
    try {
      return await stripe.read(body, signature);
    } catch {
      throw new RuleBroken(
        'The webhook is not signed by Stripe with STRIPE_WEBHOOK_SECRET, or is older than five minutes: compare the ' +
          'secret with that of the endpoint, and the clock of this machine',
        'webhook_refused',
      );
    }
  }
}
