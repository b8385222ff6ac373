import { Check, Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { PaymentEntity } from './payment.entity.js';

export const refundStatuses = ['pending', 'done', 'failed'] as const;
export type RefundStatus = (typeof refundStatuses)[number];

/** Money that goes back. It counts in the order's total from the moment at which it is asked for, until it fails. */
@Entity('refunds')
@Check('refunds_amount_check', 'amount > 0')
@Check('refunds_status_check', `status IN ('pending', 'done', 'failed')`)
@Index('refunds_order_idx', ['orderId', 'createdAt'])
@Index('refunds_payment_idx', ['paymentId'])
@Index('refunds_pending_idx', ['askAt'], { where: `status = 'pending'` })
export class RefundEntity {
  /** Also the provider's idempotency key. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'refunds_pkey' })
  id: string;

  @ForeignKey('orders', { name: 'refunds_order_id_fkey', onDelete: 'CASCADE' })
  @Column('integer', { name: 'order_id' })
  orderId: number;

  @ForeignKey(() => PaymentEntity, { name: 'refunds_payment_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'payment_id' })
  paymentId: string;

  @Column('numeric', { precision: 16, scale: 2 })
  amount: number;

  @Column('varchar', { length: 500, nullable: true })
  reason: string | null;

  /** Whether the pieces of its lines went back into stock. */
  @Column('boolean')
  restock: boolean;

  /** Whether somebody pays it back by hand: no provider is asked. */
  @Column('boolean', { name: 'by_hand', default: false })
  byHand: boolean;

  @Column('text', { default: 'pending' })
  status: RefundStatus;

  @Column('varchar', { length: 255, nullable: true })
  reference: string | null;

  /** Why the provider refused, for the admin. */
  @Column('varchar', { length: 500, nullable: true })
  failure: string | null;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  /** When the provider is to be asked again. */
  @Column({ type: 'timestamptz', name: 'ask_at', precision: 3, default: () => 'now()' })
  askAt: Date;
}
