import { insertAdmin, type InsertedUser, insertUser } from '../../support/accounts.js';
import { fillCart, insertCoupon, insertProduct } from '../../support/goods.js';
import { checkout } from '../../support/checkout.js';
import type { TestApp } from '../../support/test-app.js';
import { canary } from './canary.js';
import type { RouteCalls } from './route-calls.js';

const named = { first_name: canary, last_name: canary, bio: canary };

/** Calls of the shop's audited routes by an admin. */
export function shopCalls(shop: TestApp, { token }: InsertedUser): RouteCalls {
  return {
    ...productCalls(shop, token),
    ...couponCalls(shop, token),
    ...orderCalls(shop, token),
    ...accountCalls(shop, token),
    ...contentCalls(shop, token),
  };
}

function productCalls(shop: TestApp, token: string): RouteCalls {
  const product = { name: 'Vase', price: 12.5, stock: 3, description: `About ${canary}` };
  const update = (path: string) => async () => {
    const id = await insertProduct(shop);
    return () => shop.api.put(`${path}/${id}`, { token, json: product });
  };
  return {
    'POST /api/v1/admin/products': async () => () => shop.api.post('/api/v1/admin/products', { token, json: product }),
    'POST /api/v1/admin/products/import': async () => {
      const raw = `id,name,price,stock,description\n,Vase,12.5,3,About ${canary}\n${await insertProduct(shop)},Jug,9,1,`;
      const headers = { 'content-type': 'text/csv' };
      return () => shop.api.post('/api/v1/admin/products/import', { token, raw, headers });
    },
    'POST /api/v1/products/': async () => () => shop.api.post('/api/v1/products/', { token, json: product }),
    'PUT /api/v1/admin/products/:product_id': update('/api/v1/admin/products'),
    'PUT /api/v1/products/:product_id': update('/api/v1/products'),
    'DELETE /api/v1/admin/products/:product_id': async () => {
      const id = await insertProduct(shop);
      return () => shop.api.delete(`/api/v1/admin/products/${id}`, { token });
    },
  };
}

function couponCalls(shop: TestApp, token: string): RouteCalls {
  const json = { code: 'SPRING-26', discount_percent: 15, max_uses: 40 };
  return {
    'POST /api/v1/admin/coupons': async () => () => shop.api.post('/api/v1/admin/coupons', { token, json }),
    'PUT /api/v1/admin/coupons/:coupon_id': async () => {
      const id = await insertCoupon(shop, 'SUMMER-26');
      return () => shop.api.put(`/api/v1/admin/coupons/${id}`, { token, json: { discount_percent: 20 } });
    },
    'DELETE /api/v1/admin/coupons/:coupon_id': async () => {
      const id = await insertCoupon(shop, 'AUTUMN-26');
      return () => shop.api.delete(`/api/v1/admin/coupons/${id}`, { token });
    },
  };
}

function orderCalls(shop: TestApp, token: string): RouteCalls {
  const order = async () => {
    const customer = await insertUser(shop, named);
    await fillCart(shop, customer, [await insertProduct(shop)]);
    const { body } = await checkout(shop.api, customer, {
      shipping: { address: canary, city: canary, zip_code: canary },
    });
    return { id: body.id, customer };
  };
  return {
    'PUT /api/v1/admin/orders/:order_id/status': async () => {
      const { id } = await order();
      return () => shop.api.put(`/api/v1/admin/orders/${id}/status?new_status=paid`, { token });
    },
    'PUT /api/v1/admin/orders/status': async () => {
      const order_ids = [(await order()).id, (await order()).id];
      return () => shop.api.put('/api/v1/admin/orders/status', { token, json: { order_ids, new_status: 'paid' } });
    },
    'POST /api/v1/orders/:order_id/cancel': async () => {
      const { id, customer } = await order();
      return () => shop.api.post(`/api/v1/orders/${id}/cancel`, { token: customer.token });
    },
  };
}

function accountCalls(shop: TestApp, token: string): RouteCalls {
  const account = () => insertUser(shop, { ...named, email: `${canary}${Math.random()}@example.com` });
  return {
    'PUT /api/v1/admin/users/:user_uuid': async () => {
      const { id } = await account();
      const json = { role: 'admin', can_be_deleted: false };
      return () => shop.api.put(`/api/v1/admin/users/${id}`, { token, json });
    },
    'DELETE /api/v1/admin/users/:user_uuid': async () => {
      const { id } = await account();
      return () => shop.api.delete(`/api/v1/admin/users/${id}`, { token });
    },
    'DELETE /api/v1/users/me/profile': async () => {
      const owner = await account();
      return () => shop.api.delete('/api/v1/users/me/profile', { token: owner.token });
    },
  };
}

function contentCalls(shop: TestApp, token: string): RouteCalls {
  const text = { content: `I like ${canary}`, rating: 5 };
  const testimonial = async () => {
    const { body } = await shop.api.post<{ id: number }>('/api/v1/testimonials/', { token, json: text });
    return body.id;
  };
  return {
    'PUT /api/v1/testimonials/:testimonial_id': async () => {
      const id = await testimonial();
      const json = { is_featured: true, content: `More ${canary}`, guest_name: canary };
      return () => shop.api.put(`/api/v1/testimonials/${id}`, { token, json });
    },
    'DELETE /api/v1/testimonials/:testimonial_id': async () => {
      const id = await testimonial();
      return () => shop.api.delete(`/api/v1/testimonials/${id}`, { token });
    },
    'DELETE /api/v1/reviews/:review_id': async () => {
      const author = await insertAdmin(shop, named);
      const path = `/api/v1/reviews/product/${await insertProduct(shop)}`;
      const { body } = await shop.api.post<{ id: number }>(path, {
        token: author.token,
        json: { ...text, title: canary },
      });
      return () => shop.api.delete(`/api/v1/reviews/${body.id}`, { token });
    },
  };
}
