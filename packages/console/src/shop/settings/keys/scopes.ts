import type { ShopKey } from '@store-service/sdk';
import { texts } from '../../../texts/texts.js';

export type Scope = ShopKey['scopes'][number];

/** What a key may do, in words. */
export const scopes: Record<Scope, string> = {
  'orders:read': texts.settings.readOrders,
  'orders:write': texts.settings.changeOrdersRecordPaymentsRefund,
  'catalog:read': texts.settings.readProductsCouponsAndReviews,
  'catalog:write': texts.settings.changeProductsCouponsAndReviews,
  'customers:read': texts.settings.readCustomers,
  'webhooks:write': texts.settings.manageWebhooks,
  'stats:read': texts.settings.readFigures,
};
