import type { InsertedUser } from '../../support/accounts.js';
import { insertProduct } from '../../support/goods.js';
import type { TestApp } from '../../support/test-app.js';
import { canary } from './canary.js';
import type { RouteCalls } from './route-calls.js';

/** Calls of the shop's audited routes by an admin. */
export function shopCalls(shop: TestApp, { token }: InsertedUser): RouteCalls {
  const product = { name: 'Vase', price: 12.5, stock: 3, description: `About ${canary}` };
  return {
    'POST /api/v1/admin/products': async () => () => shop.api.post('/api/v1/admin/products', { token, json: product }),
    'POST /api/v1/products/': async () => () => shop.api.post('/api/v1/products/', { token, json: product }),
    'PUT /api/v1/admin/products/:product_id': async () => {
      const id = await insertProduct(shop);
      return () => shop.api.put(`/api/v1/admin/products/${id}`, { token, json: product });
    },
    'PUT /api/v1/products/:product_id': async () => {
      const id = await insertProduct(shop);
      return () => shop.api.put(`/api/v1/products/${id}`, { token, json: product });
    },
    'DELETE /api/v1/admin/products/:product_id': async () => {
      const id = await insertProduct(shop);
      return () => shop.api.delete(`/api/v1/admin/products/${id}`, { token });
    },
  };
}
