import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Database, statement } from '../../database/database.js';
import { PaymentEntity } from './payment.entity.js';
import { RefundEntity } from './refund.entity.js';

/** Writes a payment once: one whose reference is known returns no row. */
const insertPayment = statement(
  'payments.insert',
  `INSERT INTO payments (id, order_id, provider, reference, method, amount) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (provider, reference) DO NOTHING
   RETURNING id`,
);

const addPaid = statement(
  'payments.add-paid',
  'UPDATE orders SET paid_total = paid_total + $2::numeric, payment_problem = $3 WHERE id = $1',
);

const addRefunded = statement(
  'payments.add-refunded',
  'UPDATE orders SET refunded_total = refunded_total + $2::numeric WHERE id = $1',
);

/** What each payment of an order still holds, the oldest first. */
const left = statement(
  'payments.left',
  `SELECT p.id, p.provider, p.reference,
          p.amount - coalesce((SELECT sum(r.amount) FROM refunds r WHERE r.payment_id = p.id AND r.status <> 'failed'), 0) AS left
     FROM payments p
    WHERE p.order_id = $1
    ORDER BY p.created_at, p.id`,
);

/** A payment with what was not paid back of it. */
export interface PaymentLeft extends Pick<PaymentEntity, 'id' | 'provider' | 'reference'> {
  left: number;
}

@Injectable()
export class PaymentsRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(PaymentEntity) private readonly payments: Repository<PaymentEntity>,
    @InjectRepository(RefundEntity) private readonly refunds: Repository<RefundEntity>,
  ) {}

  /** The payments of an order, the oldest first. */
  of(orderId: number): Promise<PaymentEntity[]> {
    return this.payments.find({ where: { orderId }, order: { createdAt: 'ASC', id: 'ASC' } });
  }

  /** The refunds of an order, the oldest first. */
  refundsOf(orderId: number): Promise<RefundEntity[]> {
    return this.refunds.find({ where: { orderId }, order: { createdAt: 'ASC', id: 'ASC' } });
  }

  /** Writes a payment of a locked order and adds it to the total; returns false where its reference is known already. */
  async insert(payment: Omit<PaymentEntity, 'createdAt'>, problem: string | null): Promise<boolean> {
    const { id, orderId, provider, reference, method, amount } = payment;
    const row = await this.database.row(insertPayment, [id, orderId, provider, reference, method, amount]);
    if (row) await this.database.execute(addPaid, [orderId, amount, problem]);
    return row !== null;
  }

  left(orderId: number): Promise<PaymentLeft[]> {
    return this.database.rows<PaymentLeft>(left, [orderId]);
  }

  /** Writes a refund of a locked order and counts it. */
  async insertRefund(refund: Omit<RefundEntity, 'createdAt'>): Promise<void> {
    await this.refunds.insert(refund);
    await this.database.execute(addRefunded, [refund.orderId, refund.amount]);
  }

  /** Ends a pending refund; a failed one no longer counts. */
  async endRefund(refund: RefundEntity, end: Pick<RefundEntity, 'status' | 'reference' | 'failure'>): Promise<void> {
    const { affected } = await this.refunds.update({ id: refund.id, status: 'pending' }, end);
    if (affected === 1 && end.status === 'failed') {
      await this.database.execute(addRefunded, [refund.orderId, -refund.amount]);
    }
  }
}
