import { IntegerField, NumberField } from '../../platform/validation/fields.js';

export class DashboardStats {
  @IntegerField({ description: 'Accounts that are not deleted', example: 12 })
  total_users: number;
  @IntegerField({ description: 'Products in the catalog', example: 60 })
  total_products: number;
  @IntegerField({ description: 'Orders of every status', example: 180 })
  total_orders: number;
  @IntegerField({ example: 14 })
  total_testimonials: number;
  @NumberField({
    description: 'The total of orders that were paid, and are neither cancelled nor refunded',
    example: 18245.6,
  })
  total_revenue: number;
  @IntegerField({ description: 'Unpaid orders', example: 4 })
  pending_orders: number;
  // Unspecified: how little stock is low; ten pieces or fewer.
  @IntegerField({ description: 'Products in the catalog with a stock of ten or less', example: 3 })
  low_stock_products: number;
}

export class RecentOrdersQuery {
  // Unspecified: bounds; the nearest sensible value replaces one beyond them, as in the other lists of the group.
  @IntegerField({
    min: 0,
    max: 1000,
    clamp: true,
    default: 10,
    description: 'The number of orders, at most 1000',
  })
  limit: number;
}
