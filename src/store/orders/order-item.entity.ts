import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { ProductEntity } from '../catalogue/product.entity.js';
import { OrderEntity } from './order.entity.js';

/** A line of an order, with its product as it was at that time. */
@Entity('order_items')
@Index('order_items_picture_idx', { synchronize: false })
@Unique('order_items_order_id_product_id_key', ['orderId', 'productId'])
@Check('order_items_price_check', 'price >= 0')
@Check('order_items_restocked_check', 'restocked BETWEEN 0 AND quantity')
@Check('order_items_quantity_check', 'quantity >= 1')
@Index('order_items_product_idx', ['productId'])
export class OrderItemEntity {
  @PrimaryGeneratedColumn('identity', {
    type: 'integer',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'order_items_pkey',
  })
  id: number;

  @Column('integer', { name: 'order_id' })
  @ForeignKey(() => OrderEntity, { name: 'order_items_order_id_fkey', onDelete: 'CASCADE' })
  orderId: number;

  @Column('integer', { name: 'product_id' })
  @ForeignKey(() => ProductEntity, { name: 'order_items_product_id_fkey' })
  productId: number;

  @Column('integer')
  quantity: number;

  /** The pieces of which it is settled whether they go back into stock: a cancellation returns the rest. */
  @Column('integer', { default: 0 })
  restocked: number;

  /** Of one piece. */
  @Column('numeric', { precision: 12, scale: 2 })
  price: number;

  @Column('text', { name: 'product_name' })
  productName: string;

  @Column('text', { name: 'product_image_url', nullable: true })
  productImageUrl: string | null;
}
