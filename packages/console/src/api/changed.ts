import { queries } from './queries.js';

const scans = ['scans', 'scan', 'scan-issues', 'workflow-preview', 'palette'] as const;
const issues = [
  'issues',
  'issue',
  'issue-activities',
  'issues-summary',
  'issue-groups',
  'issue-metrics',
  'assets',
  'asset',
  'scan-issues',
  'workflow-preview',
  'palette',
] as const;

/**
 * The queries that each kind of change makes stale, by the first part of their keys. A version in a form (`edited`) is not
 * among them: only saving changes it.
 */
const staleBy = {
  orders: [
    'orders',
    'order',
    'order-payments',
    'order-timeline',
    'stats',
    'series',
    'best-sellers',
    'products',
    'coupons',
    'palette',
  ],
  products: ['products', 'categories', 'stats', 'best-sellers', 'reviews', 'palette'],
  coupons: ['coupons'],
  customers: ['customers', 'customer', 'orders', 'order', 'reviews', 'testimonials', 'stats', 'palette'],
  reviews: ['reviews', 'stats'],
  testimonials: ['testimonials'],
  shop: ['shop'],
  webhooks: ['webhooks', 'webhook-deliveries', 'webhook-delivery', 'stats'],
  'shop-keys': ['shop-keys'],
  'provider-links': ['provider-links'],
  operation: ['operation'],
  imports: [...scans, ...issues, 'branches', 'events', 'event-histogram', 'issue-targets', 'profiles', 'tags'],
  scans,
  issues,
  workflows: ['workflows', 'workflow', 'runs', 'deliveries', 'delivery'],
  deliveries: ['deliveries', 'delivery', 'workflows'],
  integrations: ['integrations', 'workflow-preview'],
  organization: ['workflow-preview'],
  members: ['members', 'invitations'],
  'api-keys': ['api-keys'],
  profile: ['profile'],
  sessions: ['sessions'],
  totp: ['totp'],
  'received-invitations': ['received-invitations'],
  views: ['views'],
  'shop-views': ['shop-views'],
} as const;

/** Each change is in the audit log, and may be one of the first steps. */
const staleByAll = ['audit', 'first-steps'] as const;

/** Refetches all stale queries: at once those on the page, the others when they are shown. */
export async function changed(kind: keyof typeof staleBy): Promise<void> {
  await Promise.all([...staleBy[kind], ...staleByAll].map((name) => queries.invalidateQueries({ queryKey: [name] })));
}

/** Refetches the queries under a key once a stream has begun to report their changes. */
export function readAnew(queryKey: readonly unknown[]): void {
  void queries.invalidateQueries({ queryKey });
}
