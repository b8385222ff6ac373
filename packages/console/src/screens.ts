import Activity from '@lucide/svelte/icons/activity';
import Boxes from '@lucide/svelte/icons/boxes';
import Bug from '@lucide/svelte/icons/bug';
import Building2 from '@lucide/svelte/icons/building-2';
import CirclePlus from '@lucide/svelte/icons/circle-plus';
import CircleUser from '@lucide/svelte/icons/circle-user';
import Gauge from '@lucide/svelte/icons/gauge';
import LayoutDashboard from '@lucide/svelte/icons/layout-dashboard';
import List from '@lucide/svelte/icons/list';
import Package from '@lucide/svelte/icons/package';
import Plug from '@lucide/svelte/icons/plug';
import Quote from '@lucide/svelte/icons/quote';
import ScanSearch from '@lucide/svelte/icons/scan-search';
import ScrollText from '@lucide/svelte/icons/scroll-text';
import Settings from '@lucide/svelte/icons/settings';
import ShoppingCart from '@lucide/svelte/icons/shopping-cart';
import Star from '@lucide/svelte/icons/star';
import TicketPercent from '@lucide/svelte/icons/ticket-percent';
import Users from '@lucide/svelte/icons/users';
import Workflow from '@lucide/svelte/icons/workflow';
import type { LucideIcon } from '@lucide/svelte';
import type { Component } from 'svelte';
import { can, type Need } from './api/session.svelte.js';
import { type Texts, texts } from './texts/texts.js';

/** A page that receives the `:name` parts of its address. */
export type PageOfAddress = Component<{ params: Record<string, string> }>;
type Page = PageOfAddress | Component<Record<string, never>>;

export interface Screen {
  /** Its address below `/console/`; `:name` stands for one part. */
  path: string;
  /** Its name in the language of the page. */
  title: () => string;
  needs: Need;
  /** Its place in the navigation; without one, another screen leads to it. */
  group?: keyof Texts['groups'];
  /** Its sign there. */
  icon?: LucideIcon;
  load: () => Promise<{ default: Page }>;
}

/** Where an organization is made: in the navigation of those who have none, and in the choice of organizations. */
export const newOrganizationPath = 'scanning/new';

/** Every screen, in the order of the navigation. */
export const screens: Screen[] = [
  {
    path: 'shop',
    title: () => texts.screens.dashboard,
    needs: 'shop-admin',
    group: 'shop',
    icon: LayoutDashboard,
    load: () => import('./shop/dashboard/dashboard.svelte'),
  },
  {
    path: 'shop/orders',
    title: () => texts.screens.orders,
    needs: 'shop-admin',
    group: 'shop',
    icon: ShoppingCart,
    load: () => import('./shop/orders/orders.svelte'),
  },
  {
    path: 'shop/orders/:id',
    title: () => texts.screens.order,
    needs: 'shop-admin',
    load: () => import('./shop/orders/order.svelte'),
  },
  {
    path: 'shop/products',
    title: () => texts.screens.products,
    needs: 'shop-admin',
    group: 'shop',
    icon: Package,
    load: () => import('./shop/products/products.svelte'),
  },
  {
    path: 'shop/coupons',
    title: () => texts.screens.coupons,
    needs: 'shop-admin',
    group: 'shop',
    icon: TicketPercent,
    load: () => import('./shop/coupons/coupons.svelte'),
  },
  {
    path: 'shop/customers',
    title: () => texts.screens.customers,
    needs: 'shop-admin',
    group: 'shop',
    icon: Users,
    load: () => import('./shop/customers/customers.svelte'),
  },
  {
    path: 'shop/reviews',
    title: () => texts.screens.reviews,
    needs: 'shop-admin',
    group: 'shop',
    icon: Star,
    load: () => import('./shop/reviews/reviews.svelte'),
  },
  {
    path: 'shop/testimonials',
    title: () => texts.screens.testimonials,
    needs: 'shop-admin',
    group: 'shop',
    icon: Quote,
    load: () => import('./shop/testimonials/testimonials.svelte'),
  },
  {
    path: 'shop/audit',
    title: () => texts.screens.audit,
    needs: 'shop-admin',
    group: 'shop',
    icon: ScrollText,
    load: () => import('./shop/audit/audit.svelte'),
  },
  {
    path: 'shop/settings',
    title: () => texts.screens.settings,
    needs: 'shop-admin',
    group: 'shop',
    icon: Settings,
    load: () => import('./shop/settings/general.svelte'),
  },
  {
    path: 'shop/settings/shipping',
    title: () => texts.screens.shipping,
    needs: 'shop-admin',
    load: () => import('./shop/settings/shipping.svelte'),
  },
  {
    path: 'shop/settings/webhooks',
    title: () => texts.screens.webhooks,
    needs: 'shop-admin',
    load: () => import('./shop/settings/webhooks/webhooks.svelte'),
  },
  {
    path: 'shop/settings/webhooks/:id',
    title: () => texts.screens.webhook,
    needs: 'shop-admin',
    load: () => import('./shop/settings/webhooks/webhook.svelte'),
  },
  {
    path: 'shop/settings/keys',
    title: () => texts.screens.keys,
    needs: 'shop-admin',
    load: () => import('./shop/settings/keys/keys.svelte'),
  },
  {
    path: 'operation',
    title: () => texts.screens.operation,
    needs: 'shop-admin',
    group: 'shop',
    icon: Activity,
    load: () => import('./shop/operation/operation.svelte'),
  },
  {
    path: 'operation/requests',
    title: () => texts.screens.requests,
    needs: 'shop-admin',
    load: () => import('./shop/operation/requests.svelte'),
  },
  {
    path: 'scanning/new',
    title: () => texts.screens.newOrganization,
    needs: 'anyone',
    group: 'scanning',
    icon: CirclePlus,
    load: () => import('./scanning/organization/new-organization.svelte'),
  },
  {
    path: 'scanning',
    title: () => texts.screens.overview,
    needs: 'viewer',
    group: 'scanning',
    icon: Gauge,
    load: () => import('./scanning/overview/overview.svelte'),
  },
  {
    path: 'scanning/events',
    title: () => texts.screens.events,
    needs: 'viewer',
    group: 'scanning',
    icon: List,
    load: () => import('./scanning/events/events.svelte'),
  },
  {
    path: 'scanning/scans',
    title: () => texts.screens.scans,
    needs: 'viewer',
    group: 'scanning',
    icon: ScanSearch,
    load: () => import('./scanning/scans/scans.svelte'),
  },
  {
    path: 'scanning/scans/:id',
    title: () => texts.screens.scan,
    needs: 'viewer',
    load: () => import('./scanning/scans/scan.svelte'),
  },
  {
    path: 'scanning/issues',
    title: () => texts.screens.issues,
    needs: 'viewer',
    group: 'scanning',
    icon: Bug,
    load: () => import('./scanning/issues/issues.svelte'),
  },
  {
    path: 'scanning/issues/metrics',
    title: () => texts.screens.metrics,
    needs: 'viewer',
    load: () => import('./scanning/issues/metrics.svelte'),
  },
  {
    path: 'scanning/assets',
    title: () => texts.screens.assets,
    needs: 'viewer',
    group: 'scanning',
    icon: Boxes,
    load: () => import('./scanning/assets/assets.svelte'),
  },
  {
    path: 'scanning/assets/:id',
    title: () => texts.screens.asset,
    needs: 'viewer',
    load: () => import('./scanning/assets/asset.svelte'),
  },
  {
    path: 'scanning/workflows',
    title: () => texts.screens.workflows,
    needs: 'viewer',
    group: 'scanning',
    icon: Workflow,
    load: () => import('./scanning/workflows/workflows.svelte'),
  },
  {
    path: 'scanning/workflows/create',
    title: () => texts.screens.create,
    needs: 'organization-admin',
    load: () => import('./scanning/workflows/builder.svelte'),
  },
  {
    path: 'scanning/workflows/:id',
    title: () => texts.screens.workflow,
    needs: 'organization-admin',
    load: () => import('./scanning/workflows/builder.svelte'),
  },
  {
    path: 'scanning/workflows/:id/deliveries',
    title: () => texts.screens.deliveries,
    needs: 'viewer',
    load: () => import('./scanning/deliveries/deliveries.svelte'),
  },
  {
    path: 'scanning/integrations',
    title: () => texts.screens.integrations,
    needs: 'viewer',
    group: 'scanning',
    icon: Plug,
    load: () => import('./scanning/integrations/integrations.svelte'),
  },
  {
    path: 'scanning/organization/general',
    title: () => texts.screens.organization,
    needs: 'viewer',
    group: 'scanning',
    icon: Building2,
    load: () => import('./scanning/organization/general.svelte'),
  },
  {
    path: 'scanning/organization/members',
    title: () => texts.screens.members,
    needs: 'viewer',
    load: () => import('./scanning/organization/members.svelte'),
  },
  {
    path: 'scanning/organization/api-keys',
    title: () => texts.screens.apiKeys,
    needs: 'organization-admin',
    load: () => import('./scanning/organization/api-keys.svelte'),
  },
  {
    path: 'scanning/organization/gate',
    title: () => texts.screens.gate,
    needs: 'viewer',
    load: () => import('./scanning/organization/gate.svelte'),
  },
  {
    path: 'scanning/organization/issue-policy',
    title: () => texts.screens.issuePolicy,
    needs: 'viewer',
    load: () => import('./scanning/organization/issue-policy.svelte'),
  },
  {
    path: 'account',
    title: () => texts.screens.account,
    needs: 'anyone',
    group: 'you',
    icon: CircleUser,
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
