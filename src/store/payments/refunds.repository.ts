import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import { Database } from '../../database/database.js';
import { mostListed } from './payments.repository.js';
import { insertRefund, insertRefundLines, linesWorth, takeRefunds } from './payments.statements.js';
import { RefundEntity } from './refund.entity.js';
import { RefundLineEntity } from './refund-line.entity.js';

export type NewRefund = Pick<RefundEntity, 'id' | 'orderId' | 'paymentId' | 'amount' | 'reason' | 'restock' | 'byHand'>;

/** A line of an order, and how many of its pieces. */
export type RefundedPieces = Pick<RefundLineEntity, 'itemId' | 'quantity'>;

/** What pieces of an order are worth. */
export interface LinesWorth {
  amount: number;
  /** The lines that were asked for, with how many pieces may still be refunded; null for none of the order's. */
  lines: { id: number; name: string; asked: number; left: number }[] | null;
}

@Injectable()
export class RefundsRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(RefundEntity) private readonly refunds: Repository<RefundEntity>,
    @InjectRepository(RefundLineEntity) private readonly lines: Repository<RefundLineEntity>,
  ) {}

  byId(id: string): Promise<RefundEntity | null> {
    return this.refunds.findOneBy({ id });
  }

  /** These refunds, the oldest first. */
  byIds(ids: readonly string[]): Promise<RefundEntity[]> {
    return this.refunds.find({ where: { id: In([...ids]) }, order: { createdAt: 'ASC', id: 'ASC' } });
  }

  /** The refunds of an order, the oldest first. */
  of(orderId: number): Promise<RefundEntity[]> {
    return this.refunds.find({ where: { orderId }, order: { createdAt: 'ASC', id: 'ASC' }, take: mostListed });
  }

  /** The lines of some refunds. */
  linesOf(refundIds: readonly string[]): Promise<RefundLineEntity[]> {
    return this.lines.find({ where: { refundId: In([...refundIds]) }, order: { itemId: 'ASC' } });
  }

  async insert({ id, orderId, paymentId, amount, reason, restock, byHand }: NewRefund): Promise<void> {
    await this.database.execute(insertRefund, [id, orderId, paymentId, amount, reason, restock, byHand]);
  }

  async insertLines(refundId: string, lines: readonly RefundedPieces[]): Promise<void> {
    const values = [lines.map(({ itemId }) => itemId), lines.map(({ quantity }) => quantity)];
    await this.database.execute(insertRefundLines, [refundId, ...values]);
  }

  /** What pieces of an order are worth, and what is left of their lines. */
  worthOf(orderId: number, lines: readonly RefundedPieces[]): Promise<LinesWorth> {
    const values = [lines.map(({ itemId }) => itemId), lines.map(({ quantity }) => quantity)];
    return this.database.one<LinesWorth & Record<string, unknown>>(linesWorth, [orderId, ...values]);
  }

  /** Ends a pending refund; returns whether it was pending. */
  async end(id: string, end: Pick<RefundEntity, 'status'> & Partial<RefundEntity>): Promise<boolean> {
    return (await this.refunds.update({ id, status: 'pending' }, end)).affected === 1;
  }

  /** How much of an order is on its way back. */
  async pendingOf(orderId: number): Promise<number> {
    return (await this.refunds.sum('amount', { orderId, status: 'pending' })) ?? 0;
  }

  /** Takes some refunds that stayed pending. */
  async takeDue(): Promise<string[]> {
    return (await this.database.rows<{ id: string }>(takeRefunds)).map(({ id }) => id);
  }
}
