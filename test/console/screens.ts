import { readFileSync } from 'node:fs';
import type { TestApp } from '../support/test-app.js';

/** The one list of screens, read as text: it stands on what only a browser has. */
export const screens = [
  ...readFileSync('console/src/screens.ts', 'utf8').matchAll(/path: '(.+)',\s+title: '(.+)',\s+needs: '(.+)'/g),
].map(([, path = '', title = '', needs = '']) => ({ path, title, needs }));

const ids = `
  SELECT (SELECT id FROM scans ORDER BY id LIMIT 1) AS scans, (SELECT id FROM assets ORDER BY id LIMIT 1) AS assets,
         (SELECT id FROM workflows ORDER BY id LIMIT 1) AS workflows,
         (SELECT id FROM scans WHERE status = 'RUNNING' ORDER BY id LIMIT 1) AS running,
         (SELECT workflow_id FROM webhook_deliveries WHERE status = 'EXHAUSTED' ORDER BY id LIMIT 1) AS exhausted`;

/**
 * Returns what puts into a path the id of something that it shows: `:id` of any, `:running` of a scan that runs,
 * `:exhausted` of a workflow of which a delivery was given up.
 */
export async function addressesIn({ database }: TestApp): Promise<(path: string) => string> {
  const [found = {}] = await database.rows<Record<string, string>>(ids);
  return (path) =>
    path.replace(/:(\w+)/, (_, name: string) => found[name === 'id' ? (path.split('/')[1] ?? '') : name] ?? '');
}
