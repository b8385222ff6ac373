import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A percentage coupon. */
@Entity('coupons')
export class CouponEntity {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'ALWAYS' })
  id: number;

  /** In capitals, and unique without case. */
  @Column('varchar')
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

  @Column('boolean', { name: 'is_active' })
  isActive: boolean;

  /** Whether the public list shows it; a hidden one serves whoever knows its code. */
  @Column('boolean', { name: 'is_public' })
  isPublic: boolean;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}
