import { DateTimeField, IntegerField, NumberField, StringField } from '../../platform/validation/fields.js';

// Unspecified: these figures, which the console shows.
export class OrdersOfStatus {
  @StringField({ example: 'pending' })
  status: string;
  @IntegerField({ example: 4 })
  orders: number;
}

export class BestSellersQuery {
  @DateTimeField({ optional: true, description: 'The first moment; by default 30 days before `to`' })
  from?: string;
  @DateTimeField({ optional: true, description: 'The moment after the last one; now by default' })
  to?: string;
  @IntegerField({ min: 1, max: 100, default: 10, description: 'The maximum number of products' })
  limit: number;
}

/** Sales of a product in orders that are neither cancelled nor refunded. */
export class BestSeller {
  @IntegerField()
  product_id: number;
  @StringField({ example: 'Linen shirt' })
  name: string;
  @IntegerField({ description: 'Pieces', example: 31 })
  quantity: number;
  @NumberField({ description: 'At the prices of that time, before discounts', example: 1519.69 })
  revenue: number;
}
