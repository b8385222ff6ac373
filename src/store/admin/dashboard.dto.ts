import { IntegerField, NumberField } from '../../platform/validation/fields.js';

export class DashboardStats {
  @IntegerField({ description: 'Accounts that are not deleted', example: 12 })
  total_users: number;
  @IntegerField({ description: 'Products in the catalogue', example: 60 })
  total_products: number;
  @IntegerField({ description: 'Orders of every status', example: 180 })
  total_orders: number;
  @IntegerField({ example: 14 })
  total_testimonials: number;
  @NumberField({
    description: 'Of the orders that were paid, and are neither cancelled nor refunded',
    example: 18245.6,
  })
  total_revenue: number;
  @IntegerField({ description: 'Orders that wait to be paid', example: 4 })
  pending_orders: number;
  // Unspecified: how little stock is low; ten pieces or fewer.
  @IntegerField({ description: 'Products in the catalogue of which ten or fewer are left', example: 3 })
  low_stock_products: number;
}

export class RecentOrdersQuery {
  // Unspecified: bounds; the nearest sensible value replaces one beyond them, as in the other lists of the group.
  @IntegerField({
    min: 0,
    max: 1000,
    clamp: true,
    default: 10,
    description: 'How many orders to return, at most 1000',
  })
  limit: number;
}
