import { IntegerField, NumberField, StringField, UuidField } from '../../common/validation/fields.js';

export class DashboardStats {
  @IntegerField({ description: 'Accounts that are not deleted' })
  total_users: number;
  @IntegerField({ description: 'Products in the catalogue' })
  total_products: number;
  @IntegerField({ description: 'Orders of every status' })
  total_orders: number;
  @IntegerField()
  total_testimonials: number;
  @NumberField({ description: 'Of the orders that are neither cancelled nor refunded' })
  total_revenue: number;
  @IntegerField({ description: 'Orders that wait to be paid' })
  pending_orders: number;
  // Not shown: how few is low; ten or fewer.
  @IntegerField({ description: 'Products in the catalogue of which ten or fewer are left' })
  low_stock_products: number;
}

export class RecentOrder {
  @IntegerField()
  id: number;
  @UuidField()
  user_id: string;
  @StringField({ description: '"deleted" where the account is gone' })
  username: string;
  @NumberField()
  total_price: number;
  @StringField()
  status: string;
  @StringField({ description: 'ISO 8601, in UTC' })
  created_at: string;
}

export class RecentOrdersQuery {
  // Not shown: bounds; values beyond are moved to the nearest one that makes sense, as in the other lists of the group.
  @IntegerField({
    min: 0,
    max: 1000,
    clamp: true,
    default: 10,
    description: 'How many orders to answer, at most 1000',
  })
  limit: number;
}
