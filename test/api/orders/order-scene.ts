import type { Cart } from '../../../src/store/cart/cart.dto.js';
import type { InsertedUser } from '../../support/accounts.js';
import type { TestApp } from '../../support/test-app.js';

/** The shipping and coupon fields of an order without them, or shown to strangers. */
export const noShipping = {
  shipping_first_name: null,
  shipping_last_name: null,
  shipping_address: null,
  shipping_city: null,
  shipping_zip: null,
  shipping_country: null,
  shipping_phone: null,
  shipping_method: null,
  shipping_cost: null,
  coupon_code: null,
  carrier: null,
  tracking_number: null,
  tracking_url: null,
};

export async function cartOf(app: TestApp, { token }: InsertedUser): Promise<Cart> {
  return (await app.api.get<Cart>('/api/v1/cart/', { token })).body;
}

/** The rows of a user's orders, one for each line. */
export function ordersInDatabase(app: TestApp, userId: string): Promise<Record<string, unknown>[]> {
  return app.database.rows(
    'SELECT o.*, i.product_id, i.quantity, i.price FROM orders o JOIN order_items i ON i.order_id = o.id WHERE user_id = $1',
    [userId],
  );
}
