import { insertAdmin, type InsertedUser, insertUser } from '../../support/accounts.js';
import { fillCart, insertCoupon, insertProduct } from '../../support/goods.js';
import { checkout } from '../../support/checkout.js';
import type { TestApp } from '../../support/test-app.js';
import { canary } from './canary.js';
import type { RouteCalls } from './route-calls.js';
import { webhookCalls } from './webhook-calls.js';

const named = { first_name: canary, last_name: canary, bio: canary };

/** Calls of the shop's audited routes by an admin. */
export function shopCalls(app: TestApp, { token }: InsertedUser): RouteCalls {
  return {
    ...productCalls(app, token),
    ...categoryCalls(app, token),
    ...couponCalls(app, token),
    'PATCH /api/v1/admin/shop': async () => () =>
      app.api.patch('/api/v1/admin/shop', { token, json: { contact_email: 'shop@harbour.example' } }),
    ...queueCalls(app, token),
    ...shopKeyCalls(app, token),
    ...viewCalls(app, token),
    ...orderCalls(app, token),
    ...accountCalls(app, token),
    ...contentCalls(app, token),
    ...webhookCalls(app, token),
  };
}

function productCalls(app: TestApp, token: string): RouteCalls {
  const product = { name: 'Vase', price: 12.5, stock: 3, description: `About ${canary}` };
  const update = (path: string) => async () => {
    const id = await insertProduct(app);
    return () => app.api.put(`${path}/${id}`, { token, json: product });
  };
  return {
    'POST /api/v1/admin/products': async () => () => app.api.post('/api/v1/admin/products', { token, json: product }),
    'POST /api/v1/admin/products/bulk': async () => {
      const json = { ids: [await insertProduct(app)], price: { percent: -10 } };
      return () => app.api.post('/api/v1/admin/products/bulk', { token, json });
    },
    'POST /api/v1/admin/products/import': async () => {
      const raw = `id,name,price,stock,description\n,Vase,12.5,3,About ${canary}\n${await insertProduct(app)},Jug,9,1,`;
      const headers = { 'content-type': 'text/csv' };
      return () => app.api.post('/api/v1/admin/products/import', { token, raw, headers });
    },
    'POST /api/v1/products/': async () => () => app.api.post('/api/v1/products/', { token, json: product }),
    'PUT /api/v1/admin/products/:product_id': update('/api/v1/admin/products'),
    'PUT /api/v1/products/:product_id': update('/api/v1/products'),
    'DELETE /api/v1/admin/products/:product_id': async () => {
      const id = await insertProduct(app);
      return () => app.api.delete(`/api/v1/admin/products/${id}`, { token });
    },
  };
}

function queueCalls(app: TestApp, token: string): RouteCalls {
  const giveUp = async () => {
    await app.database.rows(`SELECT graphile_worker.permanently_fail_jobs(
      ARRAY[(graphile_worker.add_job('printing', json_build_object('of', '${canary}'))).id], '${canary}')`);
  };
  const move = (verb: string) => async () => {
    await giveUp();
    return () => app.api.post(`/api/v1/admin/operation/queues/printing/${verb}`, { token });
  };
  return {
    'POST /api/v1/admin/operation/queues/:task/drop': move('drop'),
    'POST /api/v1/admin/operation/queues/:task/retry': move('retry'),
  };
}

function categoryCalls(app: TestApp, token: string): RouteCalls {
  const path = '/api/v1/admin/categories';
  const make = async (name: string) =>
    (await app.api.post<{ slug: string }>(path, { token, json: { name } })).body.slug;
  return {
    'POST /api/v1/admin/categories': async () => () => app.api.post(path, { token, json: { name: 'Vases' } }),
    'PATCH /api/v1/admin/categories/:slug': async () => {
      const slug = await make('Jugs');
      return () => app.api.patch(`${path}/${slug}`, { token, json: { position: 3 } });
    },
    'DELETE /api/v1/admin/categories/:slug': async () => {
      const slug = await make('Pots');
      return () => app.api.delete(`${path}/${slug}`, { token });
    },
  };
}

function couponCalls(app: TestApp, token: string): RouteCalls {
  const json = { code: 'SPRING-26', discount_percent: 15, max_uses: 40 };
  return {
    'POST /api/v1/admin/coupons': async () => () => app.api.post('/api/v1/admin/coupons', { token, json }),
    'PUT /api/v1/admin/coupons/:coupon_id': async () => {
      const id = await insertCoupon(app, 'SUMMER-26');
      return () => app.api.put(`/api/v1/admin/coupons/${id}`, { token, json: { discount_percent: 20 } });
    },
    'DELETE /api/v1/admin/coupons/:coupon_id': async () => {
      const id = await insertCoupon(app, 'AUTUMN-26');
      return () => app.api.delete(`/api/v1/admin/coupons/${id}`, { token });
    },
  };
}

function shopKeyCalls(app: TestApp, token: string): RouteCalls {
  const json = { name: 'ERP', scopes: ['orders:read'] };
  const make = () => app.api.post<{ id: string }>('/api/v1/admin/keys', { token, json });
  return {
    'POST /api/v1/admin/keys': async () => make,
    'DELETE /api/v1/admin/keys/:key_id': async () => {
      const { body } = await make();
      return () => app.api.delete(`/api/v1/admin/keys/${body.id}`, { token });
    },
  };
}

function viewCalls(app: TestApp, token: string): RouteCalls {
  const make = (name: string) => {
    const json = { list: 'orders', name, query: 'status=paid' };
    return app.api.post<{ id: string }>('/api/v1/admin/views', { token, json });
  };
  return {
    'POST /api/v1/admin/views': async () => () => make('Paid'),
    'DELETE /api/v1/admin/views/:view_id': async () => {
      const { body } = await make('Soon gone');
      return () => app.api.delete(`/api/v1/admin/views/${body.id}`, { token });
    },
  };
}

function orderCalls(app: TestApp, token: string): RouteCalls {
  const order = async () => {
    const customer = await insertUser(app, named);
    await fillCart(app, customer, [await insertProduct(app)]);
    const { body } = await checkout(app.api, customer, {
      shipping: { address: canary, city: canary, zip_code: canary },
    });
    return { id: body.id, total: body.total_price, customer };
  };
  return {
    'PUT /api/v1/admin/orders/:order_id/status': async () => {
      const { id } = await order();
      return () => app.api.put(`/api/v1/admin/orders/${id}/status?new_status=paid`, { token });
    },
    'PUT /api/v1/admin/orders/status': async () => {
      const order_ids = [(await order()).id, (await order()).id];
      return () => app.api.put('/api/v1/admin/orders/status', { token, json: { order_ids, new_status: 'paid' } });
    },
    'POST /api/v1/admin/orders/:order_id/payments': async () => {
      const { id, total } = await order();
      const json = { amount: total, reference: canary, method: canary };
      return () => app.api.post(`/api/v1/admin/orders/${id}/payments`, { token, json });
    },
    'POST /api/v1/admin/orders/:order_id/refunds': async () => {
      const { id } = await order();
      await app.api.post(`/api/v1/admin/orders/${id}/payments`, { token, json: { amount: 1 } });
      const json = { amount: 0.5, reason: canary };
      return () => app.api.post(`/api/v1/admin/orders/${id}/refunds`, { token, json });
    },
    'PATCH /api/v1/admin/orders/:order_id': async () => {
      const { id } = await order();
      return () => app.api.patch(`/api/v1/admin/orders/${id}`, { token, json: { carrier: 'DHL' } });
    },
    'POST /api/v1/admin/orders/:order_id/mails/:mail': async () => {
      const { id } = await order();
      return () => app.api.post(`/api/v1/admin/orders/${id}/mails/placed`, { token });
    },
    'POST /api/v1/admin/orders/:order_id/notes': async () => {
      const { id } = await order();
      return () => app.api.post(`/api/v1/admin/orders/${id}/notes`, { token, json: { text: canary } });
    },
    'POST /api/v1/orders/:order_id/cancel': async () => {
      const { id, customer } = await order();
      return () => app.api.post(`/api/v1/orders/${id}/cancel`, { token: customer.token });
    },
  };
}

function accountCalls(app: TestApp, token: string): RouteCalls {
  const account = () => insertUser(app, { ...named, email: `${canary}${Math.random()}@example.com` });
  return {
    'PUT /api/v1/admin/users/:user_uuid': async () => {
      const { id } = await account();
      const json = { role: 'admin', can_be_deleted: false, suspended: true };
      return () => app.api.put(`/api/v1/admin/users/${id}`, { token, json });
    },
    'DELETE /api/v1/admin/users/:user_uuid': async () => {
      const { id } = await account();
      return () => app.api.delete(`/api/v1/admin/users/${id}`, { token });
    },
    'DELETE /api/v1/admin/users/:user_uuid/sessions': async () => {
      const { id } = await account();
      return () => app.api.delete(`/api/v1/admin/users/${id}/sessions`, { token });
    },
    'DELETE /api/v1/users/me/profile': async () => {
      const owner = await account();
      return () => app.api.delete('/api/v1/users/me/profile', { token: owner.token });
    },
  };
}

function contentCalls(app: TestApp, token: string): RouteCalls {
  const text = { content: `I like ${canary}`, rating: 5 };
  const testimonial = async () => {
    const { body } = await app.api.post<{ id: number }>('/api/v1/testimonials/', { token, json: text });
    return body.id;
  };
  const review = async () => {
    const author = await insertAdmin(app, named);
    const path = `/api/v1/reviews/product/${await insertProduct(app)}`;
    const json = { ...text, title: canary };
    return (await app.api.post<{ id: number }>(path, { token: author.token, json })).body.id;
  };
  const answer = (path: string) => () => app.api.put(`${path}/answer`, { token, json: { answer: 'Thank you' } });
  return {
    'PUT /api/v1/admin/reviews/:review_id/answer': async () => answer(`/api/v1/admin/reviews/${await review()}`),
    'PUT /api/v1/admin/testimonials/:testimonial_id/answer': async () =>
      answer(`/api/v1/admin/testimonials/${await testimonial()}`),
    'PUT /api/v1/testimonials/:testimonial_id': async () => {
      const id = await testimonial();
      const json = { is_featured: true, content: `More ${canary}`, guest_name: canary };
      return () => app.api.put(`/api/v1/testimonials/${id}`, { token, json });
    },
    'DELETE /api/v1/testimonials/:testimonial_id': async () => {
      const id = await testimonial();
      return () => app.api.delete(`/api/v1/testimonials/${id}`, { token });
    },
    'DELETE /api/v1/reviews/:review_id': async () => {
      const id = await review();
      return () => app.api.delete(`/api/v1/reviews/${id}`, { token });
    },
  };
}
