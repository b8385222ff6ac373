import { Injectable, Optional } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { OutsideCalls } from '../../platform/net/outside-calls.js';
import { MailLinks } from '../../platform/mail/mail-links.js';
import { type PaymentProvider, paymentProviderOf } from '../shop/payment-provider.js';
import { DemoGateway } from './demo-gateway.js';
import { ManualGateway } from './manual-gateway.js';
import type { PaymentGateway } from './payment-gateway.js';
import { StripeGateway } from './stripe-gateway.js';

/** The ways by which money comes and goes, as the settings have them. */
@Injectable()
export class PaymentGateways {
  /** The way by which new payments come. */
  readonly current: PaymentProvider;
  /** Null where Stripe is not set up. */
  readonly stripe: StripeGateway | null;
  private readonly known: readonly PaymentGateway[];

  constructor(settings: Settings, links: MailLinks, @Optional() outside?: OutsideCalls) {
    const { payments, demoData, production } = settings;
    this.current = paymentProviderOf(settings);
    this.stripe = payments.stripe ? new StripeGateway(payments.stripe, payments.timeoutSeconds * 1_000) : null;
    const known: PaymentGateway[] = [
      new ManualGateway(),
      ...(this.stripe ? [this.stripe] : []),
      ...(demoData && !production ? [new DemoGateway((path) => links.to(path))] : []),
    ];
    this.known = outside ? known.map((gateway) => outside.around('payment', gateway)) : known;
  }

  /** The gateway of a provider; null where it is not set up any more. */
  of(provider: string): PaymentGateway | null {
    return this.known.find((gateway) => gateway.provider === provider) ?? null;
  }
}
