import { Check, Column, CreateDateColumn, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** A percentage coupon. */
@Entity('coupons')
@Check('coupons_current_uses_check', 'current_uses >= 0')
@Check('coupons_discount_percent_check', 'discount_percent > 0 AND discount_percent <= 100')
@Check('coupons_max_uses_check', 'max_uses >= 1')
@Index('coupons_code_key', { synchronize: false })
@Index('coupons_newest_idx', { synchronize: false })
@Index('coupons_public_idx', { synchronize: false })
export class CouponEntity {
  @PrimaryGeneratedColumn('identity', {
    type: 'integer',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'coupons_pkey',
  })
  id: number;

  /** In capitals, and unique without case. */
  @Column('varchar', { length: 32 })
  code: string;

  @Column('numeric', { name: 'discount_percent', precision: 5, scale: 2 })
  discountPercent: number;

  @Column('integer', { name: 'max_uses' })
  maxUses: number;

  /** Raised by the order that uses the coupon, lowered when that order is cancelled. */
  @Column('integer', { name: 'current_uses', default: 0 })
  currentUses: number;

  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3, nullable: true })
  expiresAt: Date | null;

  @Column('boolean', { name: 'is_active', default: true })
  isActive: boolean;

  /** Whether the public list shows the coupon; a hidden one serves everyone who knows its code. */
  @Column('boolean', { name: 'is_public', default: true })
  isPublic: boolean;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}
