import type { ShopKey } from '@store-service/sdk';

export type Scope = ShopKey['scopes'][number];

/** What a key may do, in words. */
export const scopes: Record<Scope, string> = {
  'orders:read': 'Read orders',
  'orders:write': 'Change orders, record payments, refund',
  'catalog:read': 'Read products, coupons and reviews',
  'catalog:write': 'Change products, coupons and reviews',
  'customers:read': 'Read customers',
  'webhooks:write': 'Manage webhooks',
  'stats:read': 'Read figures',
};
