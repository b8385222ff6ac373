import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { Requester } from '../../platform/auth/caller.js';
import { uuidV7 } from '../../platform/crypto/uuid-v7.js';
import { Conflict, found } from '../../platform/errors/errors.js';
import { Invalid } from '../../platform/errors/invalid.js';
import { IdempotentRequestsService } from '../idempotency/idempotent-requests.service.js';
import { bySystem, OrderMoneyService } from '../orders/order-money.service.js';
import { dueOf, type LockedOrder } from '../orders/order-payment.js';
import { OrdersService } from '../orders/orders.service.js';
import { ShopService } from '../shop/shop.service.js';
import type { PaidOutcome, SessionOutcome } from './payment-gateway.js';
import type { PaymentSessionEntity } from './payment-session.entity.js';
import { PaymentSessionsRepository } from './payment-sessions.repository.js';
import { PaymentsRepository } from './payments.repository.js';
import type { OrderPayments, PaymentRecord, RecordedPayment } from './payments.dto.js';
import { toPayment, toRefund } from './payments.mapper.js';
import { RefundsRepository } from './refunds.repository.js';

/** The most that the database can hold of what was paid for one order. */
const mostPaid = 99_999_999_999_999;

/** Records what came for orders, and lists it. */
@Injectable()
export class PaymentRecordsService {
  constructor(
    private readonly payments: PaymentsRepository,
    private readonly sessions: PaymentSessionsRepository,
    private readonly refunds: RefundsRepository,
    private readonly money: OrderMoneyService,
    private readonly orders: OrdersService,
    private readonly requests: IdempotentRequestsService,
    private readonly shop: ShopService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** The payments and refunds of an order; `NotFound` if there is none. */
  async list(orderId: number): Promise<OrderPayments> {
    const { total_price, paid_total = 0, refunded_total = 0 } = await this.orders.read(orderId);
    const payments = await this.payments.of(orderId);
    const refunds = await this.refunds.of(orderId);
    const lines = await this.refunds.linesOf(refunds.map(({ id }) => id));
    return {
      order_id: orderId,
      total_price,
      paid_total,
      refunded_total,
      due: dueOf({ totalPrice: total_price, paidTotal: paid_total, refundedTotal: refunded_total }),
      payments: payments.map(toPayment),
      refunds: refunds.map((refund) => toRefund(refund, lines)),
    };
  }

  /**
   * Records money that came outside the service. `NotFound` if there is no such order, `Invalid` for another currency than the
   * shop's, `Conflict` for a reference that is recorded already.
   */
  async record(
    orderId: number,
    { amount, reference, method, currency }: PaymentRecord,
    by: Requester,
    key: string | null,
  ): Promise<RecordedPayment> {
    const shop = await this.shop.get();
    if (currency !== undefined && currency.toUpperCase() !== shop.currency) {
      const msg = `Input should be ${shop.currency}, the currency of the shop: convert the amount to it`;
      throw Invalid.at(['body', 'currency'], 'value_error', msg, currency);
    }
    const record = { amount, reference: reference || null, method: method || null };
    const asks = { record: orderId, ...record };
    const { id } = await this.unitOfWork.run(() =>
      this.requests.once({ by, key, asks }, async () => {
        const order = await this.money.lock(orderId);
        const payment = { id: uuidV7(), orderId, provider: 'manual', currency: shop.currency, ...record };
        if (order.paidTotal + amount > mostPaid) throw new Conflict('More was paid than the service can count');
        if (!(await this.payments.insert(payment))) throw recordedAlready(record.reference);
        await this.money.paymentRecorded(order, payment);
        return { id: payment.id };
      }),
    );
    const payment = toPayment(found(await this.payments.byId(id), 'Payment'));
    return { payment, order: await this.orders.read(orderId) };
  }

  /** Records what became of a session, once, however often and by however many ways it is told. */
  async settle(sessionId: string, outcome: SessionOutcome): Promise<void> {
    const { state } = outcome;
    if (state === 'open' || state === 'pending') return;
    await this.unitOfWork.run(async () => {
      const session = await this.sessions.byId(sessionId);
      if (!session) return;
      const order = await this.money.lock(session.orderId);
      if (state === 'paid') return this.paid(order, session, outcome);
      const wasOpen = await this.sessions.end(sessionId, state);
      if (wasOpen && state === 'failed') await this.money.paymentFailed(order, session);
    });
  }

  private async paid(order: LockedOrder, session: PaymentSessionEntity, outcome: PaidOutcome): Promise<void> {
    const { id: sessionId, orderId, provider } = session;
    const { amount, currency, reference } = outcome;
    if (currency !== session.currency) {
      if (await this.sessions.end(sessionId, 'failed')) await this.money.paidInOtherCurrency(order, sessionId);
      return;
    }
    await this.sessions.paid(sessionId);
    const payment = { id: uuidV7(), orderId, provider, reference, method: null, amount, currency };
    if (await this.payments.insert(payment)) await this.money.paymentRecorded(order, { ...payment, actor: bySystem });
  }
}

function recordedAlready(reference: string | null): Conflict {
  return new Conflict(
    `A payment with the reference ${JSON.stringify(reference)} is recorded already: check it, or use another reference`,
    'payment_recorded',
  );
}
