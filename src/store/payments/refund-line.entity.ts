import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { OrderItemEntity } from '../orders/order-item.entity.js';
import { RefundEntity } from './refund.entity.js';

/** Pieces of an order's line that a refund is for. */
@Entity('refund_lines')
@Check('refund_lines_quantity_check', 'quantity >= 1')
@Index('refund_lines_item_idx', ['itemId'])
export class RefundLineEntity {
  @PrimaryColumn('uuid', { name: 'refund_id', primaryKeyConstraintName: 'refund_lines_pkey' })
  @ForeignKey(() => RefundEntity, { name: 'refund_lines_refund_id_fkey', onDelete: 'CASCADE' })
  refundId: string;

  @PrimaryColumn('integer', { name: 'item_id', primaryKeyConstraintName: 'refund_lines_pkey' })
  @ForeignKey(() => OrderItemEntity, { name: 'refund_lines_item_id_fkey', onDelete: 'CASCADE' })
  itemId: number;

  @Column('integer')
  quantity: number;
}
