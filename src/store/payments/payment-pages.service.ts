import { Injectable } from '@nestjs/common';
import { found, NotFound } from '../../platform/errors/errors.js';
import { formatOf } from '../shop/shop-format.js';
import { ShopService } from '../shop/shop.service.js';
import { demoPage, outcomePage, type ShownPayment } from './payment-page.js';
import { PaymentGateways } from './payment-gateways.js';
import { PaymentRecordsService } from './payment-records.service.js';
import type { PaymentSessionEntity } from './payment-session.entity.js';
import type { PaymentLanguage } from './payment-texts.js';
import { SessionOutcomesService } from './session-outcomes.service.js';

/** Where a browser goes next: a page of ours, or an address. */
export type NextPage = { html: string } | { redirect: string };

/** The service's own pages about payments. */
@Injectable()
export class PaymentPagesService {
  constructor(
    private readonly outcomes: SessionOutcomesService,
    private readonly records: PaymentRecordsService,
    private readonly gateways: PaymentGateways,
    private readonly shop: ShopService,
  ) {}

  /** Where a customer comes back to: the shop front's page, or a sentence. `NotFound` for an unknown session. */
  async afterwards(sessionId: string, language: PaymentLanguage): Promise<NextPage> {
    const session = found(await this.outcomes.seen(sessionId), 'Payment');
    const { returnUrl, orderId, status } = session;
    if (returnUrl === null) return { html: outcomePage(await this.shown(session, language), status) };
    const url = new URL(returnUrl);
    url.searchParams.set('order', String(orderId));
    url.searchParams.set('payment', status === 'expired' ? 'failed' : status);
    return { redirect: url.href };
  }

  /** The demo's page on which to pay, and the origin to which its form may lead. `NotFound` where there is no demo. */
  async demo(sessionId: string, language: PaymentLanguage): Promise<{ html: string; formTarget: string | undefined }> {
    const session = await this.demoSession(sessionId);
    const formTarget = session.returnUrl === null ? undefined : new URL(session.returnUrl).origin;
    const shown = await this.shown(session, language);
    const isOpen = session.status === 'open' && session.expiresAt.getTime() > Date.now();
    if (isOpen) return { html: demoPage(shown, sessionId), formTarget };
    return { html: outcomePage(shown, session.status === 'open' ? 'expired' : session.status), formTarget };
  }

  /** Takes what the customer chose on the demo's page. */
  async choose(sessionId: string, choice: 'pay' | 'decline'): Promise<void> {
    const { status, reference, amount, currency } = await this.demoSession(sessionId);
    if (status !== 'open' || reference === null) return;
    const paid = { state: 'paid', reference, amount, currency } as const;
    await this.records.settle(sessionId, choice === 'pay' ? paid : { state: 'failed' });
  }

  private async demoSession(sessionId: string): Promise<PaymentSessionEntity> {
    const session = this.gateways.of('demo') ? await this.outcomes.seen(sessionId) : null;
    if (session?.provider !== 'demo') throw new NotFound('Payment not found');
    return session;
  }

  private async shown(
    { orderId, amount, currency }: PaymentSessionEntity,
    language: PaymentLanguage,
  ): Promise<ShownPayment> {
    const { name, locale: ofShop } = await this.shop.current();
    // As the shop writes amounts where it has the language, and else as the language does.
    const locale = new Intl.Locale(ofShop).language === language ? ofShop : language;
    return { shopName: name, orderId, amount: formatOf({ currency, locale }).money(amount), language };
  }
}
