import {
  Check,
  Column,
  Entity,
  ForeignKey,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryGeneratedColumn,
  Unique,
} from 'typeorm';
import { ProductEntity } from '../catalogue/product.entity.js';
import { CartEntity } from './cart.entity.js';

/** A line of a cart; one for each product. */
@Entity('cart_items')
@Unique('cart_items_cart_id_product_id_key', ['cartId', 'productId'])
@Check('cart_items_quantity_check', 'quantity BETWEEN 1 AND 999')
@Index('cart_items_product_idx', ['productId'])
export class CartItemEntity {
  @PrimaryGeneratedColumn('identity', {
    type: 'integer',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'cart_items_pkey',
  })
  id: number;

  @Column('integer', { name: 'cart_id' })
  @ForeignKey(() => CartEntity, { name: 'cart_items_cart_id_fkey', onDelete: 'CASCADE' })
  cartId: number;

  @Column('integer', { name: 'product_id' })
  productId: number;

  @ManyToOne(() => ProductEntity, { nullable: false })
  @JoinColumn({ name: 'product_id', foreignKeyConstraintName: 'cart_items_product_id_fkey' })
  product: ProductEntity;

  @Column('integer')
  quantity: number;
}
