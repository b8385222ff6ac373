import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** A way in which the shop sends its goods, and what that costs. */
@Entity('shipping_methods')
@Check('shipping_methods_code_check', `code ~ '^[a-z0-9_-]+$'`)
@Check('shipping_methods_cost_check', 'cost BETWEEN 0 AND 10000')
@Check('shipping_methods_days_check', 'days BETWEEN 0 AND 365')
@Check('shipping_methods_free_from_check', 'free_from >= 0')
export class ShippingMethodEntity {
  @PrimaryColumn('varchar', { length: 50, primaryKeyConstraintName: 'shipping_methods_pkey' })
  code: string;

  @Column('varchar', { length: 100 })
  name: string;

  @Column('numeric', { precision: 12, scale: 2 })
  cost: number;

  /** From the order to its arrival, as estimated. */
  @Column('integer')
  days: number;

  /** The price of the goods, after discount, from which shipping is free; null if it is never free. */
  @Column('numeric', { name: 'free_from', precision: 12, scale: 2, nullable: true })
  freeFrom: number | null;

  /** Its place in the list. */
  @Column('integer')
  position: number;
}
