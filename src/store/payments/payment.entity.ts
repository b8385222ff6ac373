import { Check, Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** Money that came for an order. A provider's reference is unique, so what is told twice counts once. */
@Entity('payments')
@Check('payments_amount_check', 'amount > 0')
@Index('payments_order_idx', ['orderId', 'createdAt'])
@Index('payments_reference_key', ['provider', 'reference'], { unique: true })
export class PaymentEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'payments_pkey' })
  id: string;

  @ForeignKey('orders', { name: 'payments_order_id_fkey', onDelete: 'CASCADE' })
  @Column('integer', { name: 'order_id' })
  orderId: number;

  @Column('text')
  provider: string;

  @Column('varchar', { length: 255, nullable: true })
  reference: string | null;

  @Column('varchar', { length: 100, nullable: true })
  method: string | null;

  @Column('numeric', { precision: 16, scale: 2 })
  amount: number;

  /** The shop's at that time. */
  @Column('char', { length: 3 })
  currency: string;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}
