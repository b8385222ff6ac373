import { Entity, PrimaryColumn } from 'typeorm';

/** An order that the search does not find yet. The trigger of orders notes it. */
@Entity('unindexed_orders')
export class UnindexedOrderEntity {
  @PrimaryColumn('integer', { name: 'order_id', primaryKeyConstraintName: 'unindexed_orders_pkey' })
  orderId: number;
}
