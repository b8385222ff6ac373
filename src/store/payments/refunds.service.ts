import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { Requester } from '../../platform/auth/caller.js';
import { uuidV7 } from '../../platform/crypto/uuid-v7.js';
import { Conflict, found } from '../../platform/errors/errors.js';
import { serviceLogger } from '../../platform/http/request-log.js';
import { IdempotentRequestsService } from '../idempotency/idempotent-requests.service.js';
import { bySystem, OrderMoneyService } from '../orders/order-money.service.js';
import { OrdersService } from '../orders/orders.service.js';
import { GatewayRefused } from './payment-gateway.js';
import { PaymentGateways } from './payment-gateways.js';
import { PaymentsRepository } from './payments.repository.js';
import type { RefundStart, StartedRefund } from './payments.dto.js';
import { toRefund } from './payments.mapper.js';
import type { RefundEntity } from './refund.entity.js';
import { partsOf, refundLines, worthOf } from './refund-parts.js';
import { RefundsRepository } from './refunds.repository.js';

const longestFailure = 500;

/**
 * Pays money back. A refund is written as pending and counted under the lock of its order; then the provider is asked, outside
 * any transaction; then it is done, or failed and no longer counted.
 */
@Injectable()
export class RefundsService {
  constructor(
    private readonly refunds: RefundsRepository,
    private readonly payments: PaymentsRepository,
    private readonly gateways: PaymentGateways,
    private readonly money: OrderMoneyService,
    private readonly orders: OrdersService,
    private readonly requests: IdempotentRequestsService,
    private readonly unitOfWork: UnitOfWork,
    @Inject(serviceLogger) private readonly logger: Logger,
  ) {}

  /**
   * Refunds an amount or pieces of an order by the gateways that took the money. `NotFound` if there is no such order,
   * `Invalid` for neither of both and for lines of others, `Conflict` for more than is left and where the provider refuses. A
   * refund that the provider has not answered stays pending.
   */
  async create(orderId: number, start: RefundStart, by: Requester, key: string | null): Promise<StartedRefund> {
    let isRetry = true;
    const begin = () => {
      isRetry = false;
      return this.begin(orderId, start);
    };
    const { amount, lines, reason, restock, by_hand } = start;
    const asks = { refund: orderId, amount, lines, reason, restock, by_hand };
    const { ids } = await this.unitOfWork.run(() => this.requests.once({ by, key, asks }, begin));
    for (const id of ids) await this.carryOut(id, isRetry);
    const refunds = await this.refunds.byIds(ids);
    if (refunds.every(({ status }) => status === 'failed')) throw refused(refunds[0]?.failure ?? '');
    const pieces = await this.refunds.linesOf(ids);
    return {
      refunds: refunds.map((refund) => toRefund(refund, pieces)),
      order: await this.orders.read(orderId),
    };
  }

  /** Takes up refunds that stayed pending: of a node that was killed, or of a provider that did not answer. */
  async takeUp(signal?: AbortSignal): Promise<void> {
    for (;;) {
      signal?.throwIfAborted();
      const ids = await this.refunds.takeDue();
      if (ids.length === 0) return;
      await Promise.all(ids.map((id) => this.carryOut(id, true)));
    }
  }

  private async begin(orderId: number, start: RefundStart): Promise<{ ids: string[] }> {
    const order = await this.money.lock(orderId);
    const lines = refundLines(start);
    const worth = lines.length === 0 ? 0 : worthOf(await this.refunds.worthOf(orderId, lines), start);
    const amount = start.amount ?? worth;
    const parts = partsOf(order, await this.payments.left(orderId), amount);
    const ids: string[] = [];
    for (const part of parts) {
      const isManual = part.provider === 'manual' || start.by_hand;
      if (!isManual && !this.gateways.of(part.provider)) {
        throw refused(`The payment came by ${part.provider}, which is not set up any more`);
      }
      const refund = {
        id: uuidV7(),
        orderId,
        paymentId: part.paymentId,
        amount: part.amount,
        reason: start.reason || null,
        restock: start.restock,
        byHand: isManual,
      };
      await this.refunds.insert(refund);
      if (ids.length === 0 && lines.length > 0) await this.refunds.insertLines(refund.id, lines);
      await this.money.refundBegun(order, refund);
      ids.push(refund.id);
    }
    return { ids };
  }

  /** Asks the provider for a pending refund, and writes what it says; where it does not answer, the refund stays pending. */
  private async carryOut(id: string, isRetry: boolean): Promise<void> {
    const refund = await this.refunds.byId(id);
    if (refund?.status !== 'pending') return;
    try {
      await this.done(refund, refund.byHand ? null : await this.payBack(refund, isRetry));
    } catch (error) {
      if (error instanceof GatewayRefused) return this.failed(refund, error.message);
      this.logger.warn({ refund: id, reason: (error as Error).message }, 'refund is pending');
    }
  }

  private async payBack(refund: RefundEntity, isRetry: boolean): Promise<string | null> {
    const { id: refundId, orderId, paymentId, amount } = refund;
    const { provider, reference, currency } = found(await this.payments.byId(paymentId), 'Payment');
    const gateway = this.gateways.of(provider);
    if (!gateway || reference === null) throw new GatewayRefused(`Payments by ${provider} are not set up any more`);
    return gateway.refund({ refundId, orderId, paymentReference: reference, amount, currency, isRetry });
  }

  private done({ id, orderId, amount, restock }: RefundEntity, reference: string | null): Promise<void> {
    return this.unitOfWork.run(async () => {
      const order = await this.money.lock(orderId);
      if (!(await this.refunds.end(id, { status: 'done', reference }))) return;
      const lines = await this.refunds.linesOf([id]);
      const pending = await this.refunds.pendingOf(orderId);
      await this.money.refundDone(order, { id, amount, restock, lines, pending });
    });
  }

  private failed({ id, orderId, amount }: RefundEntity, failure: string): Promise<void> {
    return this.unitOfWork.run(async () => {
      const order = await this.money.lock(orderId);
      const end = { status: 'failed', failure: failure.slice(0, longestFailure) } as const;
      if (await this.refunds.end(id, end)) await this.money.refundFailed(order, { id, amount, actor: bySystem });
    });
  }
}

function refused(why: string): Conflict {
  return new Conflict(
    `${why}. Record it and pay it back by hand: send the request again with "by_hand": true`,
    'refund_refused',
  );
}
