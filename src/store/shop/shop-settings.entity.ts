import { Check, Column, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';

/** What an admin says of the shop, in one row; null: the value of the environment, or none. */
@Entity('shop_settings')
@Check('shop_settings_id_check', 'id')
@Check('shop_settings_currency_check', `currency ~ '^[A-Z]{3}$'`)
export class ShopSettingsEntity {
  /** True. */
  @PrimaryColumn('boolean', { default: true, primaryKeyConstraintName: 'shop_settings_pkey' })
  id: boolean;

  @Column('varchar', { length: 100, nullable: true })
  name: string | null;

  /** ISO 4217. */
  @Column('char', { length: 3, nullable: true })
  currency: string | null;

  /** BCP 47. */
  @Column('varchar', { length: 35, nullable: true })
  locale: string | null;

  @Column('varchar', { name: 'contact_email', length: 254, nullable: true })
  contactEmail: string | null;

  @Column('varchar', { length: 1000, nullable: true })
  address: string | null;

  @Column('varchar', { name: 'logo_url', length: 2048, nullable: true })
  logoUrl: string | null;

  /** How to pay where money comes by hand. */
  @Column('varchar', { name: 'payment_instructions', length: 2000, nullable: true })
  paymentInstructions: string | null;

  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt: Date;
}
