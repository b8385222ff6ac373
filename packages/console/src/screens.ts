import type { Component } from 'svelte';
import { can, type Need } from './api/session.svelte.js';

/** A page that receives the `:name` parts of its address. */
export type PageOfAddress = Component<{ params: Record<string, string> }>;
type Page = PageOfAddress | Component<Record<string, never>>;

export interface Screen {
  /** Its address below `/console/`; `:name` stands for one part. */
  path: string;
  title: string;
  needs: Need;
  /** Its place in the navigation; without one, another screen leads to it. */
  group?: 'Shop' | 'Scanning' | 'You';
  load: () => Promise<{ default: Page }>;
}

/** Where an organization is made: in the navigation of those who have none, and in the choice of organizations. */
export const newOrganizationPath = 'scanning/new';

/** Every screen, in the order of the navigation. */
export const screens: Screen[] = [
  {
    path: 'shop',
    title: 'Dashboard',
    needs: 'shop-admin',
    group: 'Shop',
    load: () => import('./shop/dashboard/dashboard.svelte'),
  },
  {
    path: 'shop/orders',
    title: 'Orders',
    needs: 'shop-admin',
    group: 'Shop',
    load: () => import('./shop/orders/orders.svelte'),
  },
  {
    path: 'shop/orders/:id',
    title: 'Order',
    needs: 'shop-admin',
    load: () => import('./shop/orders/order.svelte'),
  },
  {
    path: 'shop/products',
    title: 'Products',
    needs: 'shop-admin',
    group: 'Shop',
    load: () => import('./shop/products/products.svelte'),
  },
  {
    path: 'shop/coupons',
    title: 'Coupons',
    needs: 'shop-admin',
    group: 'Shop',
    load: () => import('./shop/coupons/coupons.svelte'),
  },
  {
    path: 'shop/customers',
    title: 'Customers',
    needs: 'shop-admin',
    group: 'Shop',
    load: () => import('./shop/customers/customers.svelte'),
  },
  {
    path: 'shop/reviews',
    title: 'Reviews',
    needs: 'shop-admin',
    group: 'Shop',
    load: () => import('./shop/reviews/reviews.svelte'),
  },
  {
    path: 'shop/testimonials',
    title: 'Testimonials',
    needs: 'shop-admin',
    group: 'Shop',
    load: () => import('./shop/testimonials/testimonials.svelte'),
  },
  {
    path: 'shop/audit',
    title: 'Audit',
    needs: 'shop-admin',
    group: 'Shop',
    load: () => import('./shop/audit/audit.svelte'),
  },
  {
    path: 'shop/settings',
    title: 'Settings',
    needs: 'shop-admin',
    group: 'Shop',
    load: () => import('./shop/settings/general.svelte'),
  },
  {
    path: 'shop/settings/shipping',
    title: 'Shipping',
    needs: 'shop-admin',
    load: () => import('./shop/settings/shipping.svelte'),
  },
  {
    path: 'shop/settings/webhooks',
    title: 'Webhooks',
    needs: 'shop-admin',
    load: () => import('./shop/settings/webhooks/webhooks.svelte'),
  },
  {
    path: 'shop/settings/webhooks/:id',
    title: 'Webhook',
    needs: 'shop-admin',
    load: () => import('./shop/settings/webhooks/webhook.svelte'),
  },
  {
    path: 'shop/settings/keys',
    title: 'Keys',
    needs: 'shop-admin',
    load: () => import('./shop/settings/keys/keys.svelte'),
  },
  {
    path: 'operation',
    title: 'Operation',
    needs: 'shop-admin',
    group: 'Shop',
    load: () => import('./shop/operation/operation.svelte'),
  },
  {
    path: 'operation/requests',
    title: 'Requests',
    needs: 'shop-admin',
    load: () => import('./shop/operation/requests.svelte'),
  },
  {
    path: 'scanning/new',
    title: 'New organization',
    needs: 'anyone',
    group: 'Scanning',
    load: () => import('./scanning/organization/new-organization.svelte'),
  },
  {
    path: 'scanning',
    title: 'Overview',
    needs: 'viewer',
    group: 'Scanning',
    load: () => import('./scanning/overview/overview.svelte'),
  },
  {
    path: 'scanning/events',
    title: 'Events',
    needs: 'viewer',
    group: 'Scanning',
    load: () => import('./scanning/events/events.svelte'),
  },
  {
    path: 'scanning/scans',
    title: 'Scans',
    needs: 'viewer',
    group: 'Scanning',
    load: () => import('./scanning/scans/scans.svelte'),
  },
  {
    path: 'scanning/scans/:id',
    title: 'Scan',
    needs: 'viewer',
    load: () => import('./scanning/scans/scan.svelte'),
  },
  {
    path: 'scanning/issues',
    title: 'Issues',
    needs: 'viewer',
    group: 'Scanning',
    load: () => import('./scanning/issues/issues.svelte'),
  },
  {
    path: 'scanning/assets',
    title: 'Assets',
    needs: 'viewer',
    group: 'Scanning',
    load: () => import('./scanning/assets/assets.svelte'),
  },
  {
    path: 'scanning/assets/:id',
    title: 'Asset',
    needs: 'viewer',
    load: () => import('./scanning/assets/asset.svelte'),
  },
  {
    path: 'scanning/workflows',
    title: 'Workflows',
    needs: 'viewer',
    group: 'Scanning',
    load: () => import('./scanning/workflows/workflows.svelte'),
  },
  {
    path: 'scanning/workflows/create',
    title: 'Create',
    needs: 'organization-admin',
    load: () => import('./scanning/workflows/builder.svelte'),
  },
  {
    path: 'scanning/workflows/:id',
    title: 'Workflow',
    needs: 'organization-admin',
    load: () => import('./scanning/workflows/builder.svelte'),
  },
  {
    path: 'scanning/workflows/:id/deliveries',
    title: 'Deliveries',
    needs: 'viewer',
    load: () => import('./scanning/deliveries/deliveries.svelte'),
  },
  {
    path: 'scanning/integrations',
    title: 'Integrations',
    needs: 'viewer',
    group: 'Scanning',
    load: () => import('./scanning/integrations/integrations.svelte'),
  },
  {
    path: 'scanning/organization/general',
    title: 'Organization',
    needs: 'viewer',
    group: 'Scanning',
    load: () => import('./scanning/organization/general.svelte'),
  },
  {
    path: 'scanning/organization/members',
    title: 'Members',
    needs: 'viewer',
    load: () => import('./scanning/organization/members.svelte'),
  },
  {
    path: 'scanning/organization/api-keys',
    title: 'API keys',
    needs: 'organization-admin',
    load: () => import('./scanning/organization/api-keys.svelte'),
  },
  {
    path: 'account',
    title: 'Account',
    needs: 'anyone',
    group: 'You',
    load: () => import('./account/account/account.svelte'),
  },
];

export interface Match {
  screen: Screen;
  params: Record<string, string>;
}

function paramsOf(pattern: string, path: string): Record<string, string> | null {
  const names = pattern.split('/');
  const parts = path.split('/');
  if (names.length !== parts.length) return null;
  const params: Record<string, string> = {};
  for (const [index, name] of names.entries()) {
    const part = parts[index] ?? '';
    if (name.startsWith(':')) params[name.slice(1)] = part;
    else if (name !== part) return null;
  }
  return params;
}

/** The screen of a path; a fixed name takes precedence over a `:name` through the order of the list. */
export function screenOf(path: string): Match | null {
  for (const screen of screens) {
    const params = paramsOf(screen.path, path);
    if (params) return { screen, params };
  }
  return null;
}

/** The first screen that the user may see. */
export function homePath(): string {
  return screens.find(({ needs, group }) => group && needs !== 'anyone' && can(needs))?.path ?? 'account';
}
