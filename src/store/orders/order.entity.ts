import {
  Check,
  Column,
  CreateDateColumn,
  Entity,
  ForeignKey,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryGeneratedColumn,
} from 'typeorm';
import { CouponEntity } from '../coupons/coupon.entity.js';
import { UserEntity } from '../users/user.entity.js';
import type { PaymentProblem } from './order-payment.js';
import type { OrderState } from './order-status.js';

/** An order. The checkout writes it in one statement with all its other changes. */
@Entity('orders')
@Check('orders_paid_total_check', 'paid_total >= 0')
@Check('orders_refunded_check', 'refunded_total <= paid_total')
@Check('orders_refunded_total_check', 'refunded_total >= 0')
@Check('orders_discount_check', 'discount >= 0')
@Check('orders_reached_check', `reached IN ('pending', 'paid', 'processing', 'shipped', 'delivered', 'completed')`)
@Check('orders_status_check', 'char_length(status) BETWEEN 1 AND 50')
@Check('orders_total_price_check', 'total_price >= 0')
@Index('orders_coupon_idx', ['couponId'], { where: 'coupon_id IS NOT NULL' })
@Index('orders_by_status_idx', { synchronize: false })
@Index('orders_total_idx', ['totalPrice', 'id'])
@Index('orders_newest_idx', { synchronize: false })
@Index('orders_of_user_idx', { synchronize: false })
@Index('orders_to_ship_idx', { synchronize: false })
@Index('orders_problems_idx', { synchronize: false })
@Index('orders_returns_idx', { synchronize: false })
@Index('orders_unpaid_idx', ['userId'], { where: `status = 'pending'` })
export class OrderEntity {
  @PrimaryGeneratedColumn('identity', {
    type: 'integer',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'orders_pkey',
  })
  id: number;

  @Column('uuid', { name: 'user_id' })
  userId: string;

  @ManyToOne(() => UserEntity, { nullable: false })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'orders_user_id_fkey' })
  user: UserEntity;

  /** One of ours, or a word of the shop's own. */
  @Column('text', { default: 'pending' })
  status: string;

  /** Goods less discount, plus shipping. */
  @Column('numeric', { name: 'total_price', precision: 16, scale: 2 })
  totalPrice: number;

  @Column('numeric', { precision: 16, scale: 2, default: 0 })
  discount: number;

  @Column('integer', { name: 'coupon_id', nullable: true })
  @ForeignKey(() => CouponEntity, { name: 'orders_coupon_id_fkey', onDelete: 'SET NULL' })
  couponId: number | null;

  @Column('text', { name: 'shipping_first_name', nullable: true })
  shippingFirstName: string | null;

  @Column('text', { name: 'shipping_last_name', nullable: true })
  shippingLastName: string | null;

  @Column('text', { name: 'shipping_address', nullable: true })
  shippingAddress: string | null;

  @Column('text', { name: 'shipping_city', nullable: true })
  shippingCity: string | null;

  @Column('text', { name: 'shipping_zip', nullable: true })
  shippingZip: string | null;

  @Column('text', { name: 'shipping_country', nullable: true })
  shippingCountry: string | null;

  @Column('text', { name: 'shipping_phone', nullable: true })
  shippingPhone: string | null;

  @Column('text', { name: 'shipping_method', nullable: true })
  shippingMethod: string | null;

  @Column('numeric', { name: 'shipping_cost', precision: 7, scale: 2, nullable: true })
  shippingCost: number | null;

  @Column({ type: 'timestamptz', name: 'estimated_delivery', precision: 3, nullable: true })
  estimatedDelivery: Date | null;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  /** As it was at that time: the coupon may be deleted. */
  @Column('text', { name: 'coupon_code', nullable: true })
  couponCode: string | null;

  /** The furthest step that the order ever reached. */
  @Column('text', { default: 'pending' })
  reached: OrderState['reached'];

  @Column('numeric', { name: 'paid_total', precision: 16, scale: 2, default: 0 })
  paidTotal: number;

  /** With what is on its way back. */
  @Column('numeric', { name: 'refunded_total', precision: 16, scale: 2, default: 0 })
  refundedTotal: number;

  /** What of its money needs somebody's attention. */
  @Column('text', { name: 'payment_problem', nullable: true })
  paymentProblem: PaymentProblem | null;

  @Column('varchar', { length: 100, nullable: true })
  carrier: string | null;

  @Column('varchar', { name: 'tracking_number', length: 200, nullable: true })
  trackingNumber: string | null;

  @Column('varchar', { name: 'tracking_url', length: 2_048, nullable: true })
  trackingUrl: string | null;
}
