import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { CallerIdentity } from '../../platform/auth/caller.js';
import { uuidV7 } from '../../platform/crypto/uuid-v7.js';
import { Conflict, Forbidden, found, UpstreamFailed } from '../../platform/errors/errors.js';
import { MailLinks } from '../../platform/mail/mail-links.js';
import { IdempotentRequestsService, type KeyedRequest } from '../idempotency/idempotent-requests.service.js';
import { OrderMoneyService } from '../orders/order-money.service.js';
import { dueOf, type LockedOrder } from '../orders/order-payment.js';
import { ShopService } from '../shop/shop.service.js';
import { GatewayRefused } from './payment-gateway.js';
import { PaymentGateways } from './payment-gateways.js';
import type { PaymentSessionEntity } from './payment-session.entity.js';
import { PaymentSessionsRepository } from './payment-sessions.repository.js';
import type { PaymentRequest, PaymentStart } from './payments.dto.js';
import { toPaymentRequest } from './payments.mapper.js';
import { assertReturnUrl } from './return-url.js';

/** How to pay where an admin records payments and has not said how. */
const byHand = 'Pay as agreed with the shop: it confirms the order once your payment has arrived.';

/** Lets customers pay their orders. */
@Injectable()
export class PaymentsService {
  constructor(
    private readonly sessions: PaymentSessionsRepository,
    private readonly gateways: PaymentGateways,
    private readonly money: OrderMoneyService,
    private readonly requests: IdempotentRequestsService,
    private readonly shop: ShopService,
    private readonly unitOfWork: UnitOfWork,
    private readonly links: MailLinks,
    private readonly settings: Settings,
  ) {}

  /**
   * Opens a page on which the caller pays what is due for their order, or says how to pay. An open page for the same amount
   * is returned again, so that nobody pays twice. `NotFound` if there is no such order, `Forbidden` for another's, `Conflict`
   * where nothing is to be paid or the provider refuses, `UpstreamFailed` where it does not answer.
   */
  async open(
    orderId: number,
    { return_url }: PaymentStart,
    caller: CallerIdentity,
    key: string | null,
  ): Promise<PaymentRequest> {
    const returnUrl = return_url ?? null;
    if (returnUrl !== null) assertReturnUrl(returnUrl, this.links.to('/'), this.settings);
    const { currency, payment } = await this.shop.get();
    const request = { by: { userId: caller.id, keyId: null }, key, asks: { pay: orderId, returnUrl } };
    const { session } = await this.unitOfWork.run(() =>
      this.requests.once(request, async () => {
        const order = await this.money.lock(orderId);
        if (order.userId !== caller.id)
          throw new Forbidden('Only the owner of an order can pay it here', 'not_the_owner');
        return { session: await this.sessionFor(order, currency, returnUrl) };
      }),
    );
    if (session === null) return { provider: 'manual', instructions: payment.instructions ?? byHand };
    return toPaymentRequest(await this.opened(session, request));
  }

  /** The id of the open session for what is due of a locked order, or of a new one; null where it is paid by hand. */
  private async sessionFor(order: LockedOrder, currency: string, returnUrl: string | null): Promise<string | null> {
    const amount = dueOf(order);
    if (order.status !== 'pending' || amount === 0) throw notPayable(order);
    const provider = this.gateways.current;
    if (provider === 'manual') return null;
    const wanted = { id: uuidV7(), orderId: order.id, provider, amount, currency, returnUrl };
    const open = await this.sessions.openId(wanted);
    if (open === null) await this.sessions.insert(wanted);
    return open ?? wanted.id;
  }

  /** A session with its page, which the provider opens where it has not; several requests for it get the same page. */
  private async opened(id: string, request: KeyedRequest): Promise<PaymentSessionEntity> {
    const session = found(await this.sessions.byId(id), 'Payment');
    if (session.url !== null) return session;
    const { orderId, provider, amount, currency } = session;
    const gateway = this.gateways.of(provider);
    if (!gateway) throw new Conflict(`Payments by ${provider} are not set up any more`, 'not_payable');
    const returnUrl = this.links.to(`/payments/${id}`);
    try {
      const opened = await gateway.open({ sessionId: id, orderId, amount, currency, returnUrl });
      await this.sessions.opened(id, opened);
      return Object.assign(session, opened);
    } catch (error) {
      // Nobody knows its page: the next request opens another one.
      await this.unitOfWork.run(async () => {
        await this.sessions.end(id, 'failed');
        await this.requests.forget(request);
      });
      if (error instanceof GatewayRefused) {
        throw new Conflict(`The payment provider does not take this payment. ${error.message}`, 'payment_refused');
      }
      throw new UpstreamFailed('The payment provider does not answer, and nothing was paid: try again in a moment');
    }
  }
}

function notPayable({ status, id }: LockedOrder): Conflict {
  return new Conflict(
    status === 'pending'
      ? `Nothing is to be paid for order ${id}`
      : `The order is ${status}: only a pending one can be paid here. Write to the shop`,
    'not_payable',
  );
}
