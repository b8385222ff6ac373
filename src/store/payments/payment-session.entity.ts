import { Check, Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

export const sessionStatuses = ['open', 'paid', 'failed', 'expired'] as const;
export type SessionStatus = (typeof sessionStatuses)[number];

/** A payment that a customer is asked for. It is written before the provider is, so that none of its answers is lost. */
@Entity('payment_sessions')
@Check('payment_sessions_amount_check', 'amount > 0')
@Check('payment_sessions_status_check', `status IN ('open', 'paid', 'failed', 'expired')`)
@Index('payment_sessions_order_idx', ['orderId'])
@Index('payment_sessions_open_idx', ['askAt'], { where: `status = 'open'` })
@Index('payment_sessions_reference_key', ['provider', 'reference'], { unique: true })
export class PaymentSessionEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'payment_sessions_pkey' })
  id: string;

  @ForeignKey('orders', { name: 'payment_sessions_order_id_fkey', onDelete: 'CASCADE' })
  @Column('integer', { name: 'order_id' })
  orderId: number;

  @Column('text')
  provider: string;

  /** The provider's name of it; null until the provider answered. */
  @Column('text', { nullable: true })
  reference: string | null;

  @Column('text', { nullable: true })
  url: string | null;

  @Column('numeric', { precision: 16, scale: 2 })
  amount: number;

  @Column('char', { length: 3 })
  currency: string;

  /** The page of the shop front that the customer came from. */
  @Column('varchar', { name: 'return_url', length: 2048, nullable: true })
  returnUrl: string | null;

  @Column('text', { default: 'open' })
  status: SessionStatus;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  /** When the provider is to be asked about it next. */
  @Column({ type: 'timestamptz', name: 'ask_at', precision: 3, default: () => 'now()' })
  askAt: Date;

  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt: Date;
}
