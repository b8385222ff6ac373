import type { Order, ShippingInfo } from '../../src/store/orders/orders.dto.js';
import type { InsertedUser } from './accounts.js';
import type { ApiAnswer, ApiClient } from './api-client.js';

export const shipping: Partial<ShippingInfo> = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  address: '12 St James Square',
  city: 'Springfield',
  zip_code: '01101',
};

export interface CheckoutChoices {
  coupon?: string | null;
  key?: string;
  shipping?: Partial<ShippingInfo>;
}

function keyHeader(key: string | undefined): Record<string, string> {
  return key === undefined ? {} : { 'idempotency-key': key };
}

/** Checks out a user's cart. */
export function checkout(
  api: ApiClient,
  user: InsertedUser,
  { coupon, key, shipping: changes = {} }: CheckoutChoices = {},
): Promise<ApiAnswer<Order>> {
  return api.post<Order>('/api/v1/orders/checkout', {
    token: user.token,
    json: { shipping: { ...shipping, ...changes }, ...(coupon === undefined ? {} : { coupon_code: coupon }) },
    headers: keyHeader(key),
  });
}

/** Checks out a user's cart without shipping. */
export function placeOrder(api: ApiClient, user: InsertedUser, key?: string): Promise<ApiAnswer<Order>> {
  return api.post<Order>('/api/v1/orders/', { token: user.token, headers: keyHeader(key) });
}
