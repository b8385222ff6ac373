import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { OrderEntity } from './order.entity.js';

/** The words by which an order is found. A search, a job and the triggers of orders and users write it. */
@Entity('order_search')
@Index('order_search_words_idx', { synchronize: false })
export class OrderSearchEntity {
  @PrimaryColumn('integer', { name: 'order_id', primaryKeyConstraintName: 'order_search_pkey' })
  @ForeignKey(() => OrderEntity, { name: 'order_search_order_id_fkey', onDelete: 'CASCADE' })
  orderId: number;

  @Column('tsvector')
  words: string;
}
