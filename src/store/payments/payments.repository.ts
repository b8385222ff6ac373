import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Database } from '../../database/database.js';
import { PaymentEntity } from './payment.entity.js';
import { insertPayment, paymentsLeft } from './payments.statements.js';

/** The most payments or refunds of one order that are listed. */
export const mostListed = 500;

/** A payment with what was not paid back of it. */
export interface PaymentLeft extends Pick<PaymentEntity, 'id' | 'provider'> {
  left: number;
}

@Injectable()
export class PaymentsRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(PaymentEntity) private readonly payments: Repository<PaymentEntity>,
  ) {}

  byId(id: string): Promise<PaymentEntity | null> {
    return this.payments.findOneBy({ id });
  }

  /** The payments of an order, the oldest first. */
  of(orderId: number): Promise<PaymentEntity[]> {
    return this.payments.find({ where: { orderId }, order: { createdAt: 'ASC', id: 'ASC' }, take: mostListed });
  }

  /** Writes a payment; returns false where its reference is known already. */
  async insert(payment: Omit<PaymentEntity, 'createdAt'>): Promise<boolean> {
    const { id, orderId, provider, reference, method, amount, currency } = payment;
    const values = [id, orderId, provider, reference, method, amount, currency];
    return (await this.database.row(insertPayment, values)) !== null;
  }

  /** What the payments of an order still hold, the oldest first. */
  left(orderId: number): Promise<PaymentLeft[]> {
    return this.database.rows<PaymentLeft & Record<string, unknown>>(paymentsLeft, [orderId]);
  }
}
