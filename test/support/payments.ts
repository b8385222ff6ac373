import type { Order } from '../../src/store/orders/orders.dto.js';
import type { OrderPayments, RecordedPayment, StartedRefund } from '../../src/store/payments/payments.dto.js';
import type { InsertedUser } from './accounts.js';
import type { ApiAnswer, ApiClient } from './api-client.js';
import { placeOrder } from './checkout.js';
import { fillCart, insertProduct } from './goods.js';
import type { SignedEvent } from './stripe-server.js';
import type { TestApp } from './test-app.js';

export interface PaidGoods {
  price?: number;
  quantity?: number;
  stock?: number;
}

/** An order of one product, and the product. */
export async function pendingOrder(
  app: TestApp,
  user: InsertedUser,
  { price = 10, quantity = 3, stock = 10 }: PaidGoods = {},
): Promise<{ order: Order; product: number; item: number }> {
  const product = await insertProduct(app, { price, stock });
  await fillCart(app, user, [product], quantity);
  const { body: order } = await placeOrder(app.api, user);
  return { order, product, item: order.items[0]?.id ?? 0 };
}

const keyed = (key: string | undefined): Record<string, string> =>
  key === undefined ? {} : { 'idempotency-key': key };

/** Calls about the money of orders, by an admin. */
export class MoneyCalls {
  constructor(
    private readonly app: TestApp,
    private readonly admin: InsertedUser,
  ) {}

  record = (id: number, json: object, key?: string, api: ApiClient = this.app.api) =>
    api.post<RecordedPayment>(`/api/v1/admin/orders/${id}/payments`, {
      token: this.admin.token,
      json,
      headers: keyed(key),
    });

  refund = (id: number, json: object, key?: string, api: ApiClient = this.app.api) =>
    api.post<StartedRefund>(`/api/v1/admin/orders/${id}/refunds`, {
      token: this.admin.token,
      json,
      headers: keyed(key),
    });

  async payments(id: number): Promise<OrderPayments> {
    return (await this.app.api.get<OrderPayments>(`/api/v1/admin/orders/${id}/payments`, this.admin)).body;
  }

  async order(id: number): Promise<Order> {
    return (await this.app.api.get<Order>(`/api/v1/orders/${id}`, { token: this.admin.token })).body;
  }

  setStatus = (id: number, status: string, api: ApiClient = this.app.api) =>
    api.put<Order>(`/api/v1/admin/orders/${id}/status?new_status=${status}`, { token: this.admin.token });
}

/** Delivers a webhook of Stripe. */
export function deliver(api: ApiClient, { body, headers }: SignedEvent): Promise<ApiAnswer<unknown>> {
  return api.post('/api/v1/payments/stripe/webhook', { raw: body, headers });
}
