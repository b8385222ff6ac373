import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../platform/audit/audit-log.js';
import type { AuditActor } from '../../platform/audit/audit-actor.js';
import { found } from '../../platform/errors/errors.js';
import { Changes } from '../../database/changes.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { orderedProducts } from '../catalogue/product-cache-tags.js';
import { moneyMails } from './order-mails.statements.js';
import { OrderMoneyRepository, type Pieces, type UnpaidOrder } from './order-money.repository.js';
import { dueOf, fromCents, heldOf, type LockedOrder, toCents } from './order-payment.js';
import { isFinal, mayBecome, wasShipped } from './order-status.js';
import { OrdersService } from './orders.service.js';

/** A payment at a provider that came to nothing. */
interface FailedSession {
  id: string;
  provider: string;
  amount: number;
}

/** Money that came. */
export interface ArrivedPayment {
  id: string;
  amount: number;
  /** The name under which the audit log records it; by default the caller of the request. */
  actor?: AuditActor | undefined;
}

/** Money that went back. */
export interface DoneRefund extends ArrivedPayment {
  lines: readonly Pieces[];
  restock: boolean;
  /** How much is under way by other refunds of the order. */
  pending: number;
}

/** The service itself, as one who records what a provider says. */
export const bySystem: AuditActor = { kind: 'system', id: null, name: null };

/**
 * What money does to orders: their totals, and their status where that is unambiguous. Each method works on an order that
 * `lock` has locked in the current unit of work.
 */
@Injectable()
export class OrderMoneyService {
  constructor(
    private readonly repository: OrderMoneyRepository,
    private readonly orders: OrdersService,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditLog,
    private readonly changes: Changes,
  ) {}

  /** Locks an order until the unit of work ends; `NotFound` if there is none. */
  async lock(id: number): Promise<LockedOrder> {
    return found(await this.orders.lock(id), 'Order');
  }

  /** Counts money that came. A pending order that is fully paid becomes paid; money for a cancelled one is kept, and told. */
  async paymentRecorded(order: LockedOrder, { id, amount, actor }: ArrivedPayment): Promise<void> {
    await this.repository.addPaid(order.id, amount);
    const paid = { ...order, paidTotal: fromCents(toCents(order.paidTotal) + toCents(amount)) };
    const changes = { payment: { from: null, to: id }, paid_total: { from: order.paidTotal, to: paid.paidTotal } };
    await this.audit.record({ action: 'order.payment_recorded', subject: { id: order.id }, changes, ...by(actor) });
    await this.repository.setProblem(order.id, isFinal(order.status) ? 'paid_but_cancelled' : null);
    if (order.status === 'pending' && dueOf(paid) === 0) await this.orders.move(paid, 'paid', by(actor));
    if (isFinal(order.status) || dueOf(paid) === 0) {
      await this.mail('paid', order, `${order.id} ${order.status} ${paid.paidTotal}`, actor);
    }
  }

  /** Says that a payment of an order failed; the order waits for another one. */
  async paymentFailed(order: LockedOrder, { id, provider, amount }: FailedSession): Promise<void> {
    const changes = { session: { from: null, to: id } };
    await this.audit.record({ action: 'order.payment_failed', subject: { id: order.id }, changes, actor: bySystem });
    await this.orders.paymentFailed(order.id, { provider, amount, reason: null });
    if (order.status !== 'pending') return;
    await this.repository.setProblem(order.id, 'payment_failed');
    await this.mail('paymentFailed', order, String(order.id), bySystem);
  }

  /** Marks an order as paid in another currency. The money is not counted; an admin has to look at it. */
  async paidInOtherCurrency(order: LockedOrder, session: string): Promise<void> {
    const changes = { session: { from: null, to: session } };
    await this.audit.record({ action: 'order.payment_failed', subject: { id: order.id }, changes, actor: bySystem });
    await this.repository.setProblem(order.id, 'other_currency');
  }

  /** Counts money that is on its way back. */
  async refundBegun(order: LockedOrder, { id, amount }: ArrivedPayment): Promise<void> {
    await this.repository.addRefunded(order.id, amount);
    const changes = { refund: { from: null, to: id }, amount: { from: null, to: amount } };
    await this.audit.record({ action: 'order.refund_requested', subject: { id: order.id }, changes });
  }

  /**
   * Settles the pieces of a refund that is done. Once nothing is held of an order any more, it becomes refunded, and what
   * was not shipped of it goes back into stock.
   */
  async refundDone(order: LockedOrder, { id, amount, lines, restock, pending, actor }: DoneRefund): Promise<void> {
    const changes = { refund: { from: null, to: id }, amount: { from: null, to: amount } };
    await this.audit.record({ action: 'order.refunded', subject: { id: order.id }, changes, ...by(actor) });
    await this.settle(order.id, lines, restock);
    const isEmpty = heldOf(order) === 0;
    await this.repository.setProblem(order.id, !isEmpty && isFinal(order.status) ? 'paid_but_cancelled' : null);
    if (isEmpty && pending === 0 && mayBecome(order, 'refunded')) {
      await this.orders.move(order, 'refunded', { ...by(actor), restock: restock && !wasShipped(order) });
    } else {
      await this.orders.partlyRefunded(order.id);
    }
    const refunded = fromCents(toCents(order.refundedTotal) - toCents(pending));
    await this.mail('refunded', order, `${order.id} ${amount} ${refunded}`, actor);
  }

  /** Takes a refund back that the provider refused. */
  async refundFailed(order: LockedOrder, { id, amount, actor }: ArrivedPayment): Promise<void> {
    await this.repository.addRefunded(order.id, -amount);
    const changes = { refund: { from: null, to: id } };
    await this.audit.record({ action: 'order.refund_failed', subject: { id: order.id }, changes, ...by(actor) });
    await this.repository.setProblem(order.id, 'refund_failed');
  }

  /** Some of the orders that nobody has paid for so many minutes, the oldest first, after one of them. */
  unpaid(minutes: number, after: UnpaidOrder | null): Promise<UnpaidOrder[]> {
    return this.repository.unpaid(minutes, after);
  }

  /** Cancels an order that is still pending and unpaid, with all that goes with it. */
  cancelUnpaid(id: number): Promise<void> {
    return this.unitOfWork.run(async () => {
      const order = await this.lock(id);
      if (order.status !== 'pending' || heldOf(order) > 0) return;
      await this.orders.move(order, 'cancelled');
    });
  }

  private async mail(
    kind: keyof typeof moneyMails,
    { id }: LockedOrder,
    about: string,
    actor: AuditActor | undefined,
  ): Promise<void> {
    if (!(await this.repository.mail(moneyMails[kind], about))) return;
    const changes = { mail: { from: null, to: kind === 'paymentFailed' ? 'payment_failed' : kind } };
    await this.audit.record({ action: 'order.mail_sent', subject: { id }, changes, ...by(actor) });
  }

  private async settle(id: number, lines: readonly Pieces[], restock: boolean): Promise<void> {
    if (lines.length === 0) return;
    const products = await this.repository.settleLines(id, lines, restock);
    if (restock) this.changes.invalidate(orderedProducts(products));
  }
}

function by(actor: AuditActor | undefined): { actor?: AuditActor } {
  return actor ? { actor } : {};
}
