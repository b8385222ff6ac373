import { queries } from './queries.js';

const scans = ['scans', 'scan', 'scan-issues', 'workflow-preview', 'palette'] as const;
const issues = [
  'issues',
  'issue',
  'issue-activities',
  'issues-summary',
  'assets',
  'asset',
  'scan-issues',
  'workflow-preview',
  'palette',
] as const;

/**
 * What each kind of change makes stale, by the names under which it was read: the first part of a query's key. A version
 * that is being edited (`edited`) is not among them: it changes by saving alone.
 */
const staleBy = {
  orders: ['orders', 'order', 'order-timeline', 'stats', 'series', 'best-sellers', 'products', 'coupons', 'palette'],
  products: ['products', 'stats', 'best-sellers', 'reviews', 'palette'],
  coupons: ['coupons'],
  customers: ['customers', 'customer', 'orders', 'order', 'reviews', 'testimonials', 'stats', 'palette'],
  reviews: ['reviews'],
  testimonials: ['testimonials'],
  imports: [...scans, ...issues, 'events', 'event-histogram', 'issue-targets', 'profiles', 'tags'],
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
} as const;

/** Has everything that shows what was changed read anew: at once what is on the page, the rest when it is shown. */
export async function changed(kind: keyof typeof staleBy): Promise<void> {
  await Promise.all(staleBy[kind].map((name) => queries.invalidateQueries({ queryKey: [name] })));
}

/** Has what is read under a key read anew, where a stream has just begun to say what changes of it. */
export function readAnew(queryKey: readonly unknown[]): void {
  void queries.invalidateQueries({ queryKey });
}
