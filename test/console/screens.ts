import { readFileSync } from 'node:fs';
import { en } from '../../packages/console/src/texts/en.js';
import type { TestApp } from '../support/test-app.js';

/** The only list of screens, read as text: its module needs what only a browser has. */
export const screens = [
  ...readFileSync('packages/console/src/screens.ts', 'utf8').matchAll(
    /path: '(.+)',\s+title: \(\) => texts\.screens\.(\w+),\s+needs: '(.+)'/g,
  ),
].map(([, path = '', title = '', needs = '']) => ({
  path,
  title: en.screens[title as keyof typeof en.screens],
  needs,
}));

const ids = `
  SELECT (SELECT id FROM scans ORDER BY id LIMIT 1) AS scans, (SELECT id FROM assets ORDER BY id LIMIT 1) AS assets,
         (SELECT id FROM workflows ORDER BY id LIMIT 1) AS workflows, (SELECT max(id) FROM orders) AS orders,
         (SELECT id FROM store_webhooks ORDER BY id LIMIT 1) AS webhooks,
         (SELECT max(id) FROM orders WHERE status = 'paid') AS unshipped,
         (SELECT max(id) FROM orders WHERE status = 'pending') AS unpaid,
         (SELECT max(id) FROM orders WHERE paid_total > refunded_total) AS paid,
         (SELECT id FROM scans WHERE status = 'RUNNING' ORDER BY id LIMIT 1) AS running,
         (SELECT workflow_id FROM webhook_deliveries WHERE status = 'EXHAUSTED' ORDER BY id LIMIT 1) AS exhausted`;

/**
 * Returns a function that puts into a path the id of something that it shows: `:id` of anything, `:unshipped`, `:unpaid` and `:paid` of an order, `:running` of a running scan,
 * `:exhausted` of a workflow with a given-up delivery.
 */
export async function addressesIn({ database }: TestApp): Promise<(path: string) => string> {
  const [found = {}] = await database.rows<Record<string, string>>(ids);
  return (path) =>
    path.replace(
      /([\w-]+)\/:(\w+)/,
      (_, of: string, name: string) => `${of}/${found[name === 'id' ? of : name] ?? ''}`,
    );
}
